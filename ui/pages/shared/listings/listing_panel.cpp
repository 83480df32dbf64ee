#include "ui/pages/shared/listings/listing_panel.h"

#include "core/lessons/worked/example_catalogue.h"
#include "core/lessons/worked/example_list.h"
#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/listings/listing_values.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text/code_lines.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

#include <algorithm>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr int kWidth = 500;
constexpr int kLeastWidth = 400;
constexpr int kMargin = 24;

/// State of the worked example that a listing computes, at its end; empty without one.
ExampleState finishedState(const Listing& listing)
{
    ExampleState state;
    for (const std::string& example : listing.examples) {
        if (example == kHeadExample)
            continue;
        state.inputs = exampleInputs(example);
        for (const auto& [name, value] : listing.set)
            state.inputs.set(name, value);
        state.example = workExample(state.inputs);
        state.done = state.example.steps.size();
        break;
    }
    return state;
}

} // namespace

ListingPanel::ListingPanel(QWidget* parent)
    : QWidget(parent)
    , m_choice(new ChoiceBox(this))
    , m_language(new SegmentBar(this))
    , m_copy(new QPushButton(tr("Copy"), this))
    , m_close(new QPushButton(tr("Close"), this))
    , m_summary(paragraph({}, TextRole::Body, Tone::Text2, this))
    , m_code(new CodeLines(tr("Lines of code")))
    , m_scroll(new QScrollArea(this))
    , m_part(new TextLabel({}, TextRole::Heading, Tone::Text, this))
    , m_note(paragraph({}, TextRole::Body, Tone::Text2, this))
    , m_source(paragraph({}, TextRole::Caption, Tone::Text3, this))
    , m_values(paragraph({}, TextRole::Table, Tone::Text, this))
{
    setObjectName("listing-panel");
    m_scroll->setWidget(m_code);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    for (TextLabel* text : {m_summary, m_note, m_source, m_values})
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_part->setObjectName("listing-part");
    m_note->setObjectName("listing-note");
    m_source->setObjectName("listing-source");
    m_values->setObjectName("listing-values");
    m_values->setTextFormat(Qt::RichText);
    auto* column = columnOf(8,
                            {makeTop(),
                             m_summary,
                             {m_scroll, 1},
                             new Hairline(Qt::Horizontal, this),
                             m_part,
                             m_note,
                             m_source,
                             m_values},
                            this);
    column->setContentsMargins(kMargin, 16, kMargin, 16);
    connect(m_code, &CodeLines::lineChosen, this, &ListingPanel::chooseLine);
    connect(m_choice, &QComboBox::activated, this, &ListingPanel::showListing);
    connect(m_language, &SegmentBar::currentChanged, this, &ListingPanel::showListing);
    connect(m_copy, &QPushButton::clicked, this, &ListingPanel::copy);
    connect(m_close, &QPushButton::clicked, this, &ListingPanel::closeWanted);
    fit();
}

QWidget* ListingPanel::makeTop()
{
    m_choice->setPurpose(tr("Listing"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_choice->setMinimumContentsLength(10);
    m_language->setAccessibleName(tr("Language of the code"));
    m_language->setSegments({{QStringLiteral("C++"), tr("The program's own operations"), true},
                             {QStringLiteral("PyTorch"), tr("The same in PyTorch"), true}});
    m_copy->setToolTip(tr("Copy the whole listing"));
    auto* top = new QWidget(this);
    rowOf(8, {{m_choice, 1}, m_language, m_copy, m_close}, top);
    return top;
}

// ------------------------------------------------------------------------------ which listing

const Listing* ListingPanel::listing() const
{
    const int index = m_choice->currentIndex();
    return index >= 0 && index < static_cast<int>(m_listings.size())
               ? m_listings[static_cast<std::size_t>(index)]
               : nullptr;
}

bool ListingPanel::isCpp() const
{
    return m_language->current() != 1;
}

const ListingCode* ListingPanel::shownCode() const
{
    const Listing* shown = listing();
    return shown ? (isCpp() ? &shown->cpp : &shown->torch) : nullptr;
}

void ListingPanel::setListings(std::vector<const Listing*> listings)
{
    if (listings == m_listings)
        return;
    m_listings = std::move(listings);
    m_choice->clear();
    for (const Listing* each : m_listings)
        m_choice->addItem(QString::fromStdString(each->title));
    m_choice->setEnabled(m_listings.size() > 1);
    showListing();
}

void ListingPanel::showExample(const QString& example)
{
    m_isOfLab = false;
    setListings(listingsOfExample(example.toStdString()));
}

void ListingPanel::showLab(const QString& lab)
{
    m_isOfLab = true;
    setListings(listingsOfLab(lab.toStdString()));
}

void ListingPanel::setState(const ExampleState& state)
{
    m_state = state;
    showLine();
}

void ListingPanel::showListing()
{
    const Listing* shown = listing();
    std::vector<CodeLine> lines;
    if (const ListingCode* code = shownCode())
        for (const ListingLine& line : code->lines)
            lines.push_back({QString::fromStdString(line.code), QString::fromStdString(line.shape),
                             !line.part.empty()});
    m_choice->setToolTip(m_choice->currentText());
    m_summary->setText(shown ? QString::fromStdString(shown->summary) : QString());
    m_code->setLines(std::move(lines), isCpp() ? QStringLiteral("//") : QStringLiteral("#"));
    if (m_isOfLab && shown)
        m_state = finishedState(*shown);
    if (const ListingCode* code = shownCode()) { // the last line with a result
        const auto last = std::find_if(code->lines.rbegin(), code->lines.rend(),
                                       [](const ListingLine& line) { return !line.part.empty(); });
        m_code->setChosen(static_cast<int>(code->lines.rend() - last) - 1);
    }
    showLine();
}

// --------------------------------------------------------------------------------- which line

const ListingLine* ListingPanel::chosenLine() const
{
    const ListingCode* code = shownCode();
    const std::optional<int> line = m_code->chosen();
    return code && line && *line < static_cast<int>(code->lines.size())
               ? &code->lines[static_cast<std::size_t>(*line)]
               : nullptr;
}

void ListingPanel::chooseLine(int)
{
    scrollToChosen();
    showLine();
}

void ListingPanel::scrollToChosen()
{
    if (!m_code->chosen())
        return;
    const QRectF rect = m_code->lineRect(*m_code->chosen());
    m_scroll->ensureVisible(m_scroll->horizontalScrollBar()->value(), qRound(rect.center().y()), 0,
                            qRound(2.0 * rect.height()));
}

/// The scroll area has its size only after the first layout.
void ListingPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    QMetaObject::invokeMethod(this, &ListingPanel::scrollToChosen, Qt::QueuedConnection);
}

void ListingPanel::showLine()
{
    const ListingLine* line = chosenLine();
    const bool computes = line && !line->part.empty();
    m_part->setText(!line || line->part.empty()
                        ? tr("Choose a line with a shape")
                        : QStringLiteral("%1   %2").arg(QString::fromStdString(line->part),
                                                        QString::fromStdString(line->shape)));
    const std::string_view note = computes ? listing()->note(line->part) : std::string_view();
    m_note->setText(QString::fromUtf8(note.data(), static_cast<qsizetype>(note.size())));
    m_note->setVisible(!note.empty());
    m_source->setVisible(computes);
    m_values->setVisible(computes);
    if (computes)
        showValues(*line);
}

void ListingPanel::showValues(const ListingLine& line)
{
    const WorkedMatrix* matrix = matrixOfPart(m_state.example, line.part, m_state.done);
    m_values->setVisible(matrix != nullptr);
    emit matrixChosen(matrix ? QString::fromStdString(matrix->name) : QString());
    if (!matrix) {
        m_values->clear();
        m_source->setText(m_state.example.steps.empty()
                              ? tr("No worked example computes this listing.")
                              : tr("“%1” does not show this number.")
                                    .arg(QString::fromStdString(m_state.example.title)));
        return;
    }
    m_source->setText(tr("%1, in “%2”")
                          .arg(QString::fromStdString(matrix->title),
                               QString::fromStdString(m_state.example.title)));
    m_values->setText(listingValues(*matrix, m_state.done));
}

void ListingPanel::copy()
{
    if (const ListingCode* code = shownCode())
        QGuiApplication::clipboard()->setText(QString::fromStdString(code->text));
}

// --------------------------------------------------------------------------------- as a part

QJsonObject ListingPanel::options() const
{
    const Listing* shown = listing();
    if (!shown)
        return {};
    return {{"name", QString::fromStdString(shown->name)},
            {"language", isCpp() ? "cpp" : "torch"},
            {"line", m_code->chosen().value_or(-1)}};
}

void ListingPanel::setOptions(const QJsonObject& options)
{
    for (std::size_t index = 0; index < m_listings.size(); ++index)
        if (QString::fromStdString(m_listings[index]->name) == options["name"].toString())
            m_choice->setCurrentIndex(static_cast<int>(index));
    m_language->setCurrent(options["language"].toString() == QLatin1String("torch") ? 1 : 0);
    showListing();
    const int line = options["line"].toInt(-1);
    if (line >= 0 && line < static_cast<int>(m_code->lines().size())) {
        m_code->setChosen(line);
        chooseLine(line);
    }
}

void ListingPanel::focusMain()
{
    m_code->setFocus(Qt::OtherFocusReason);
}

void ListingPanel::fit()
{
    const double scale = Theme::of(*this).scale();
    setMinimumWidth(qRound(kLeastWidth * scale));
    setMaximumWidth(qRound(kWidth * scale));
    updateGeometry();
}

QSize ListingPanel::sizeHint() const
{
    return {maximumWidth(), QWidget::sizeHint().height()};
}

void ListingPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit();
}

} // namespace headscope::ui
