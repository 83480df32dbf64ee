#include "ui/pages/lessons/lesson_start.h"

#include "ui/pages/lessons/lesson_author_form.h"
#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/column_scroll.h"
#include "ui/session/lessons/lesson_run.h"
#include "ui/widgets/text/lesson_text_widget.h"

#include <QEvent>
#include <QGridLayout>
#include <QPushButton>

#include <algorithm>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr int kChoices = 352; // Column widths at scale 1.
constexpr int kStep = 340;
constexpr int kAcross = 32;

/// The text with its numbers; without them if there is none.
QString filledText(const LessonStep& step, const LabContext& context)
{
    try {
        return QString::fromStdString(fillStep(step, context).text);
    } catch (const std::exception&) {
        return QString::fromStdString(step.text);
    }
}

} // namespace

LessonStart::LessonStart(QWidget* parent)
    : QWidget(parent)
    , m_example(new QPushButton(tr("Open the example")))
    , m_new(new QPushButton(tr("New lesson")))
    , m_open(new QPushButton(tr("Open\u2026")))
    , m_preview(new QWidget)
    , m_title(paragraph({}, TextRole::Title))
    , m_summary(paragraph({}, TextRole::Body, Tone::Text2))
{
    m_preview->setObjectName("preview");
    auto* column = columnOf(8, {caption(tr("Example")), m_title, m_summary}, m_preview);
    m_grid = new QGridLayout;
    m_grid->setContentsMargins(0, 8, 0, 0);
    m_grid->setHorizontalSpacing(kAcross);
    m_grid->setVerticalSpacing(16);
    column->addLayout(m_grid);
    column->addStretch(1);
    auto* area = new ColumnScroll(m_preview);
    area->setProperty("role", "page");
    m_preview->setAutoFillBackground(false);
    rowOf(32, {{makeChoices(), 0, Qt::AlignTop}, new Hairline(Qt::Vertical), {area, 1}}, this);
    connect(m_example, &QPushButton::clicked, this, &LessonStart::exampleWanted);
    connect(m_new, &QPushButton::clicked, this, &LessonStart::newWanted);
    connect(m_open, &QPushButton::clicked, this, &LessonStart::openWanted);
    placeSteps();
}

QWidget* LessonStart::makeChoices()
{
    m_example->setProperty("role", "primary");
    m_example->setToolTip(tr("Open a copy of the example to change"));
    m_new->setToolTip(tr("Start with one step, the overview of the text above"));
    m_choices = new QWidget;
    auto* buttons = rowOf(8, {m_example, m_new, m_open, Placed::space()});
    columnOf(16,
             {heading(tr("Write your own lesson")),
              paragraph(tr("A lesson is a series of saved states of the window, each with a text "
                           "and, if you like, a question. Open the example and change it, or "
                           "start with an empty one."),
                        TextRole::Lesson, Tone::Text),
              buttons,
              paragraph(tr("To add a step, set up any page, worked example or lab and press "
                           "Ctrl+Shift+D: \u201CAdd current view as a step\u201D."),
                        TextRole::Lesson, Tone::Text2)},
             m_choices);
    return m_choices;
}

void LessonStart::setExample(const Lesson* example, const LabContext& context)
{
    for (QWidget* step : m_steps)
        delete step;
    m_steps.clear();
    m_preview->setVisible(example != nullptr);
    m_example->setVisible(example != nullptr);
    if (!example)
        return;
    m_title->setText(QString::fromStdString(example->title));
    m_summary->setText(QString::fromStdString(example->summary));
    int number = 0;
    for (const LessonStep& step : example->steps)
        m_steps.push_back(makeStep(step, ++number, context));
    placeSteps();
}

QWidget* LessonStart::makeStep(const LessonStep& step, int number, const LabContext& context)
{
    auto* whole = new QWidget;
    auto* text = new LessonText;
    text->setMarkdownText(filledText(step, context));
    text->setAccessibleName(QString::fromStdString(step.title));
    text->setFocusPolicy(Qt::NoFocus);
    auto* column = columnOf(
        4,
        {heading(QStringLiteral("%1  %2").arg(number).arg(QString::fromStdString(step.title))),
         caption(stateText(step.state)), text},
        whole);
    if (step.question)
        column->addWidget(
            paragraph(tr("Question: %1").arg(QString::fromStdString(step.question->prompt)),
                      TextRole::Body, Tone::Text2));
    column->addStretch(1);
    return whole;
}

/// As many columns as fit beside the choices.
void LessonStart::placeSteps()
{
    const double scale = Theme::of(*this).scale();
    m_choices->setFixedWidth(qRound(kChoices * scale));
    const double room = width() - (kChoices + 4.0 * kAcross) * scale;
    const int most = std::max(1, static_cast<int>(m_steps.size()));
    const int columns = std::clamp(static_cast<int>(room / (kStep * scale)), 1, most);
    int index = 0;
    for (QWidget* step : m_steps) {
        step->setMaximumWidth(qRound((kStep + kAcross) * scale));
        m_grid->addWidget(step, index / columns, index % columns, Qt::AlignTop);
        ++index;
    }
    for (int column = 0; column < most; ++column)
        m_grid->setColumnStretch(column, column < columns ? 1 : 0);
}

void LessonStart::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeSteps();
}

bool LessonStart::event(QEvent* event)
{
    if (event->type() == QEvent::ApplicationFontChange)
        placeSteps();
    return QWidget::event(event);
}

} // namespace headscope::ui
