#include "ui/pages/labs/lab_page.h"

#include "core/lessons/lesson_references.h"
#include "core/lessons/lesson_text.h"
#include "ui/pages/labs/lab_chooser.h"
#include "ui/pages/shared/listings/listing_panel.h"
#include "ui/pages/shared/page_frame.h"
#include "ui/pages/shared/stages/lab_content.h"
#include "ui/pages/shared/stages/lab_stage.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/tables/fact_table.h"
#include "ui/workers/error_sentence.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QPushButton>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr int kSideWidth = 312;
constexpr int kMargin = 24;
constexpr auto kWithExperiments = "pitfalls";

TextLabel* makeLabel(TextRole role, Tone tone, QWidget* parent)
{
    auto* label = paragraph({}, role, tone, parent);
    label->setMinimumWidth(1);
    return label;
}

std::vector<FactColumn> numberColumns(int valueWidth)
{
    return {{LabPage::tr("Number"), {}, 80, false, true, true},
            {LabPage::tr("Value"), {}, valueWidth, true, false}};
}

int valueWidth(const std::vector<FactRow>& rows, const Theme& theme)
{
    constexpr double kPadding = 20.0;
    const QFontMetricsF metrics(theme.font(TextRole::Table));
    double widest = metrics.horizontalAdvance(LabPage::tr("Value"));
    for (const FactRow& row : rows)
        widest = std::max(widest, metrics.horizontalAdvance(row.texts.value(1)));
    return static_cast<int>(std::ceil(widest / theme.scale() + kPadding));
}

/// Text of a lab with the numbers of its result, without markup.
QString filled(const std::string& text, const LabResult& result)
{
    try {
        const std::string full = fillIn(text, [&result](std::string_view reference) {
            return ReferencedNumber{result.number(reference).value, {}};
        });
        return QString::fromStdString(plainText(parseLessonText(full)));
    } catch (const std::exception& error) {
        return errorSentence(error);
    }
}

} // namespace

LabPage::LabPage(Session& session)
    : Page(session)
    , m_stage(new LabStage(session, this))
    , m_chooser(new LabChooser(this))
    , m_title(makeLabel(TextRole::Title, Tone::Text, this))
    , m_question(makeLabel(TextRole::Lesson, Tone::Text, this))
    , m_showAnswer(new QPushButton(this))
    , m_code(new QPushButton(tr("&Code"), this))
    , m_answer(makeLabel(TextRole::Lesson, Tone::Text, this))
    , m_experiments(new QPushButton(tr("Open the experiments"), this))
    , m_figureTitle(makeLabel(TextRole::Caption, Tone::Text3, this))
    , m_figureNumber(makeLabel(TextRole::Figure, Tone::Text, this))
    , m_numbers(new FactTable(tr("Numbers"), this))
    , m_listing(new ListingPanel(this))
{
    m_listing->hide();
    m_listing->layout()->setContentsMargins(0, 0, kMargin, 0);
    m_stage->setNumbersShown(false);
    auto* columns = new PageFrame(
        *this,
        {{rowOf(kMargin, {{m_stage, 1}, new Hairline(Qt::Vertical, this), makeSide(), m_listing}),
          1}},
        0, QMargins());
    columns->setContentsMargins(kMargin, 16, 0, 16);
    connectAll();
    if (!labCatalogue().empty())
        showLab(labOfCatalogue(labCatalogue().front().name));
    else
        showText();
}

LabPage::~LabPage() = default;

QWidget* LabPage::makeSide()
{
    m_side = new QWidget(this);
    m_answer->setObjectName("answer");
    m_numbers->setObjectName("numbers");
    m_numbers->setColumns(numberColumns(0));
    m_numbers->setSorted(-1, true);
    m_numberPart = new QWidget(m_side);
    auto* numbers = columnOf(
        4,
        {new Hairline(Qt::Horizontal, m_numberPart), m_figureTitle, m_figureNumber, {m_numbers, 1}},
        m_numberPart);
    numbers->addStretch(0); // Below the figure, where there is no room for the others.
    auto* column = columnOf(12,
                            {m_chooser,
                             m_title,
                             m_question,
                             rowOf(8, {m_showAnswer, m_code, Placed::space()}),
                             m_answer,
                             {m_experiments, 0, Qt::AlignLeft},
                             {m_numberPart, 1},
                             Placed::space(0)},
                            m_side);
    column->setContentsMargins(0, 0, kMargin, 0);
    fitSide();
    return m_side;
}

void LabPage::connectAll()
{
    connect(m_chooser, &LabChooser::chosen, this, [this](const QString& name) {
        choose(name);
        m_stage->focusMain();
    });
    m_showAnswer->setObjectName("showAnswer");
    connect(m_showAnswer, &QPushButton::clicked, this, [this] {
        m_isAnswerShown = !m_isAnswerShown;
        showText();
    });
    m_code->setObjectName("show-code");
    m_code->setToolTip(tr("Show the computation as a program, in C++ or PyTorch"));
    connect(m_code, &QPushButton::clicked, this, [this] {
        showCode(true);
        m_listing->focusMain();
    });
    connect(m_listing, &ListingPanel::closeWanted, this, [this] {
        showCode(false);
        m_code->setFocus(Qt::OtherFocusReason);
    });
    m_experiments->setObjectName("experiments");
    connect(m_experiments, &QPushButton::clicked, this,
            [this] { emit pageWanted(QStringLiteral("experiments")); });
    connect(m_stage, &LabStage::finished, this, [this] {
        showText();
        showNumbers();
    });
}

void LabPage::choose(const QString& name)
{
    for (const Lab& lab : labCatalogue())
        if (QString::fromStdString(lab.name) == name)
            return showLab(labOfCatalogue(lab.name));
}

void LabPage::showLab(const LabPtr& lab)
{
    m_isAnswerShown = false;
    m_stage->setLab(lab);
    m_chooser->setCurrent(QString::fromStdString(lab->name));
    if (!m_listing->isHidden())
        m_listing->showLab(QString::fromStdString(lab->name));
    showText();
    showNumbers();
}

void LabPage::showCode(bool on)
{
    m_side->setVisible(!on);
    m_listing->setVisible(on);
    if (on && m_stage->lab())
        m_listing->showLab(QString::fromStdString(m_stage->lab()->name));
}

bool LabPage::escape()
{
    const bool isOpen = !m_listing->isHidden();
    showCode(false);
    return isOpen;
}

void LabPage::showText()
{
    const LabPtr& lab = m_stage->lab();
    m_title->setText(lab ? QString::fromStdString(lab->title) : tr("No labs"));
    m_question->setText(lab ? QString::fromStdString(lab->question) : QString());
    const bool hasAnswer = lab && !lab->answer.empty();
    const auto result = m_stage->result();
    m_showAnswer->setVisible(hasAnswer);
    m_showAnswer->setText(m_isAnswerShown ? tr("Hide answer") : tr("Show answer"));
    m_answer->setVisible(hasAnswer && m_isAnswerShown);
    if (hasAnswer && m_isAnswerShown)
        m_answer->setText(result ? filled(lab->answer, *result)
                                 : tr("Run the lab first: the answer refers to its numbers."));
    m_experiments->setVisible(lab && lab->name == kWithExperiments);
    fitNumbers();
}

/// The first number large, the others below it.
void LabPage::showNumbers()
{
    const auto result = m_stage->result();
    fitNumbers();
    if (!result || result->numbers.empty())
        return;
    const auto titleOf = [](const LabNumber& number) {
        const QString title = QString::fromStdString(number.title);
        return number.isMeasured ? tr("%1 \u00B7 measured here").arg(title) : title;
    };
    m_figureTitle->setText(titleOf(result->numbers.front()));
    m_figureNumber->setText(numberText(result->numbers.front()));
    std::vector<FactRow> rows;
    for (std::size_t index = 1; index < result->numbers.size(); ++index) {
        const LabNumber& number = result->numbers[index];
        FactRow row;
        row.id = QString::fromStdString(number.name);
        row.texts = {titleOf(number), numberText(number)};
        row.toolTip = row.texts.join(QStringLiteral(": "));
        rows.push_back(std::move(row));
    }
    const int width = valueWidth(rows, Theme::of(*this));
    if (width != m_numbers->columns()[1].width)
        m_numbers->setColumns(numberColumns(width));
    m_numbers->setRows(std::move(rows));
    fitNumbers();
}

void LabPage::fitNumbers()
{
    constexpr int kFigurePart = 84;
    constexpr int kLeastTable = 104;
    const auto result = m_stage->result();
    const double scale = Theme::of(*this).scale();
    const int width = m_side->width() - kMargin;
    int used = 0;
    for (int index = 0; index < m_side->layout()->count(); ++index) {
        QLayoutItem* item = m_side->layout()->itemAt(index);
        if (item->layout() != nullptr) // the buttons
            used += item->sizeHint().height() + m_side->layout()->spacing();
        const QWidget* part = item->widget();
        if (part == nullptr || part == m_numberPart || part->isHidden())
            continue;
        const int wrapped = part->heightForWidth(width);
        used += (wrapped > 0 ? wrapped : part->sizeHint().height()) + m_side->layout()->spacing();
    }
    const int rest = height() - 2 * 16 - used;
    const bool hasNumbers = result && !result->numbers.empty();
    m_numberPart->setVisible(hasNumbers && rest >= kFigurePart * scale);
    m_numbers->setVisible(hasNumbers && result->numbers.size() > 1 &&
                          rest >= (kFigurePart + kLeastTable) * scale);
}

void LabPage::fitSide()
{
    if (m_side != nullptr)
        m_side->setFixedWidth(qRound(kSideWidth * Theme::of(*this).scale()));
}

void LabPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    fitNumbers();
}

void LabPage::changeEvent(QEvent* event)
{
    Page::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitSide();
}

// --------------------------------------------------------------------------------------- as a page

Figure LabPage::figure() const
{
    return m_stage->figure();
}

void LabPage::focusMain()
{
    m_stage->focusMain();
}

QJsonObject LabPage::options() const
{
    if (!m_stage->lab())
        return {};
    QJsonObject settings;
    for (const auto& [name, value] : m_stage->settings())
        settings[QString::fromStdString(name)] = QString::fromStdString(value);
    QJsonObject options{{"lab", QString::fromStdString(m_stage->lab()->name)},
                        {"settings", settings}};
    if (!m_listing->isHidden())
        options["code"] = m_listing->options();
    return options;
}

/// Settings that this lab does not know or no longer accepts keep their values.
void LabPage::setOptions(const QJsonObject& options)
{
    choose(options["lab"].toString());
    showCode(options["code"].isObject());
    if (options["code"].isObject())
        m_listing->setOptions(options["code"].toObject());
    const QJsonObject settings = options["settings"].toObject();
    for (const QString& name : settings.keys()) {
        try {
            m_stage->setSettings({{name.toStdString(), settings[name].toString().toStdString()}});
        } catch (const std::exception& error) {
            emit messageWanted(errorSentence(error));
        }
    }
}

QString LabPage::hint() const
{
    return tr("Change a control to see its effect \u00B7 Tab moves to the figures, arrows read "
              "them");
}

QString LabPage::whyNoNumber() const
{
    return tr("The numbers here were computed by the lab from its controls.");
}

bool LabPage::isSettled() const
{
    return m_stage->isSettled();
}

PageDescriptor LabPage::descriptor()
{
    return {.name = "lab",
            .title = tr("Labs"),
            .question = tr("What happens when you turn one control?"),
            .group = PageGroup::Course,
            .icon = "<path d='M3 5.5h14M3 10h14M3 14.5h14'/><circle cx='7' cy='5.5' r='2' "
                    "fill='@'/><circle cx='13' cy='10' r='2' fill='@'/><circle cx='8.5' cy='14.5' "
                    "r='2' fill='@'/>",
            .help = tr("Try one part of the subject: change the controls and watch the result. "
                       "The right side has a question, its answer and the numbers. Choose "
                       "another lab at the top right."),
            .make = makePage<LabPage>};
}

} // namespace headscope::ui
