#include "ui/pages/lessons/lesson_column.h"

#include "ui/pages/lessons/lesson_step_view.h"
#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/column_scroll.h"
#include "ui/widgets/labels.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QToolButton>

#include <utility>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr int kMargin = 24;
constexpr int kLateMs = 150; // Delay (ms) before progress is shown.

} // namespace

LessonColumn::LessonColumn(LessonRun& run, QWidget* parent)
    : QWidget(parent)
    , m_run(run)
    , m_where(caption({}))
    , m_close(new QToolButton)
    , m_stepView(new LessonStepView)
    , m_change(new QWidget)
    , m_cells(caption(tr("Every input cell can be edited; all later steps follow.")))
    , m_switches(new QGridLayout)
    , m_working(caption(tr("Computing the numbers of this step")))
    , m_count(caption({}))
    , m_back(new QPushButton(tr("Back")))
    , m_next(new QPushButton(tr("Next")))
{
    setAccessibleName(tr("Lesson"));
    auto* inside = new QWidget;
    auto* texts = columnOf(8, {m_stepView, m_change, Placed::space()}, inside);
    texts->setContentsMargins(kMargin, 0, kMargin, 8);
    auto* change = columnOf(8, {new Hairline, Placed::gap(4)}, m_change);
    m_cells->setWordWrap(true);
    change->addWidget(m_cells);
    m_switches->setHorizontalSpacing(12);
    m_switches->setVerticalSpacing(4);
    change->addLayout(m_switches);
    m_change->hide();
    m_area = transparentScroll(inside);
    m_close->setText(QStringLiteral("\u2715"));
    m_close->setProperty("role", "plain");
    m_close->setAccessibleName(tr("Leave lesson"));
    m_close->setToolTip(tr("Leave lesson"));
    m_next->setProperty("role", "primary");
    m_where->setWordWrap(true);
    auto* top = rowOf(kStyleSpacing, {{m_where, 1}, {m_close, 0, Qt::AlignTop}});
    top->setContentsMargins(kMargin, 0, 16, 0);
    m_working->setContentsMargins(kMargin, 0, kMargin, 0);
    auto* bottom = rowOf(8, {{m_count, 1}, m_back, m_next});
    bottom->setContentsMargins(kMargin, 4, kMargin, 0);
    auto* column = columnOf(8, {top, {m_area, 1}, m_working, new Hairline, bottom}, this);
    column->setContentsMargins(0, 16, 0, 16);
    m_late.setSingleShot(true);
    connect(&m_late, &QTimer::timeout, m_working, &QWidget::show);
    connect(m_close, &QToolButton::clicked, this, &LessonColumn::contentsWanted);
    connect(m_back, &QPushButton::clicked, this, &LessonColumn::goBack);
    connect(m_next, &QPushButton::clicked, this, &LessonColumn::goNext);
    connect(m_stepView, &LessonStepView::linkActivated, this, &LessonColumn::linkActivated);
    connect(m_stepView, &LessonStepView::numberGiven, &run, &LessonRun::answerNumber);
    connect(m_stepView, &LessonStepView::choiceGiven, this, [this](int choice) {
        m_choice = choice;
        m_run.answerChoice(choice);
    });
    connect(&run, &LessonRun::stepChanged, this, &LessonColumn::showStep);
    connect(&run, &LessonRun::filledChanged, this, &LessonColumn::showTexts);
    connect(&run, &LessonRun::answered, this, &LessonColumn::showVerdict);
    showStep();
}

void LessonColumn::showStep()
{
    m_choice = -1;
    m_working->hide();
    m_area->verticalScrollBar()->setValue(0);
    if (!m_run.isOpen()) {
        m_late.stop();
        return m_stepView->setContent({});
    }
    const QString title = QString::fromStdString(m_run.lesson().title);
    const int number = m_run.number();
    m_where->setText(number > 0 ? tr("Lesson %1 \u00B7 %2").arg(number).arg(title)
                                : tr("Lesson \u00B7 %1").arg(title));
    const auto count = static_cast<int>(m_run.lesson().steps.size());
    m_count->setText(tr("Step %1/%2").arg(m_run.step() + 1).arg(count));
    m_count->setAccessibleName(tr("Step %1 of %2").arg(m_run.step() + 1).arg(count));
    m_back->setEnabled(!m_run.isFirst());
    m_next->setText(!m_run.isLast() ? tr("Next")
                    : m_run.next()  ? tr("Next lesson")
                    : number > 0    ? tr("Finish")
                                    : tr("Done"));
    showTexts();
}

void LessonColumn::showTexts()
{
    m_stepView->setContent(stepViewContent(m_run));
    const bool settled = m_run.isSettled();
    if (settled)
        m_late.stop();
    else
        m_late.start(kLateMs);
    if (settled)
        m_working->hide();
    fitSoon();
}

void LessonColumn::showVerdict()
{
    m_stepView->setVerdict(m_run.verdict(), m_choice);
    fitSoon();
    QMetaObject::invokeMethod(
        this,
        [this] {
            QScrollBar* bar = m_area->verticalScrollBar();
            bar->setValue(bar->maximum());
        },
        Qt::QueuedConnection);
}

void LessonColumn::setSwitches(const std::vector<ExampleInputs::Switch>& switches, bool cellsToo)
{
    const QList<QCheckBox*> boxes = m_change->findChildren<QCheckBox*>();
    const bool same = boxes.size() == static_cast<qsizetype>(switches.size());
    if (!same)
        qDeleteAll(boxes);
    for (std::size_t i = 0; i < switches.size(); ++i) {
        const QString name = QString::fromStdString(switches[i].name);
        auto* box = same ? boxes[static_cast<qsizetype>(i)] : new QCheckBox;
        if (!same) {
            const int place = static_cast<int>(i);
            m_switches->addWidget(box, place / 2, place % 2);
            box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // Half of the column.
            connect(box, &QCheckBox::clicked, this,
                    [this, box](bool on) { emit switchWanted(box->objectName(), on); });
        }
        box->setObjectName(name);
        box->setText(QString::fromStdString(switches[i].title));
        box->setToolTip(box->text());
        box->setChecked(switches[i].on);
    }
    m_cells->setVisible(cellsToo);
    m_offersChange = !switches.empty() || cellsToo;
    fitSoon();
}

void LessonColumn::fitSoon()
{
    if (std::exchange(m_fits, true))
        return;
    QMetaObject::invokeMethod(this, &LessonColumn::fit, Qt::QueuedConnection);
}

void LessonColumn::fit()
{
    m_fits = false;
    if (!m_offersChange || m_presenting)
        return m_change->hide();
    const int room = m_area->viewport()->height() - m_stepView->sizeHint().height();
    m_change->setVisible(room >= m_change->sizeHint().height() + 24);
}

void LessonColumn::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitSoon();
}

void LessonColumn::setPresenting(bool on)
{
    m_presenting = on;
    fitSoon();
    m_where->setVisible(!on);
    m_close->setVisible(!on);
    layout()->setContentsMargins(0, on ? 12 : 16, 0, on ? 8 : 16);
}

void LessonColumn::focusNext()
{
    m_next->setFocus(Qt::OtherFocusReason);
}

void LessonColumn::goNext()
{
    if (!m_run.isOpen())
        return;
    if (!m_run.isLast())
        return m_run.goTo(m_run.step() + 1);
    if (const Lesson* next = m_run.next())
        return m_run.start(Lesson(*next));
    emit contentsWanted();
}

void LessonColumn::goBack()
{
    if (m_run.isOpen())
        m_run.goTo(m_run.step() - 1);
}

} // namespace headscope::ui
