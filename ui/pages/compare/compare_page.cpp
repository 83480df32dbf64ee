#include "ui/pages/compare/compare_page.h"

#include "ui/pages/compare/compared_grids.h"
#include "ui/pages/compare/difference_panel.h"
#include "ui/pages/compare/model_of_b.h"
#include "ui/pages/compare/moved_attention.h"
#include "ui/pages/compare/ranked_table.h"
#include "ui/pages/compare/ranked_texts.h"
#include "ui/pages/compare/texts_of_b.h"
#include "ui/pages/shared/page_frame.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"

#include <QJsonObject>
#include <QKeyEvent>
#include <QStackedWidget>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kLeastMap = 164; ///< Height of the map of moved attention.
constexpr int kLargestMap = 420;

/// Names of the sections in options.
constexpr const char* kSections[] = {"layers", "moved", "texts"};

std::optional<int> tokenAt(const Comparison& comparison, int row, Variant variant)
{
    if (row < 0 || row >= static_cast<int>(comparison.lines.size()))
        return std::nullopt;
    const AlignedTokens& line = comparison.lines[static_cast<std::size_t>(row)];
    return variant == Variant::A ? line.a : line.b;
}

} // namespace

ComparePage::ComparePage(Session& session)
    : Page(session)
    , m_texts(new TextsOfB(session, this))
    , m_model(new ModelOfB(session, this))
    , m_summary(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_sections(new SegmentBar(this))
    , m_stack(new QStackedWidget(this))
    , m_grids(new ComparedGrids(this))
    , m_moved(new MovedAttention(session, this))
    , m_differences(new DifferencePanel(session, this))
    , m_rankedTexts(new RankedTexts(session, this))
{
    auto* choices = rowOf(24, {{m_texts, 1}, m_model});
    auto* state = rowOf(24, {{m_summary, 1}, m_sections});
    m_stack->addWidget(makeLayers());
    m_stack->addWidget(m_differences);
    m_stack->addWidget(m_rankedTexts);
    new PageFrame(*this, {choices, state, {m_stack, 1}}, 8, {24, 12, 24, 12});
    m_moved->setMapHeight(kLeastMap);
    connectSections();
    connect(&m_meter, &ComparisonMeter::measured, this, &ComparePage::showComparison);
    connect(m_grids, &ComparedGrids::carriedChanged, this, &ComparePage::showComparison);
    connect(m_grids, &ComparedGrids::dropped, this, &ComparePage::patch);
}

QWidget* ComparePage::makeLayers()
{
    auto* layers = new QWidget(this);
    columnOf(8, {{m_grids, 1}, new Hairline(Qt::Horizontal, this), m_moved}, layers);
    return layers;
}

void ComparePage::connectSections()
{
    m_sections->setAccessibleName(tr("Section of the comparison"));
    m_sections->setSegments({{tr("Layers"), tr("The prediction after each layer")},
                             {tr("What moved"), tr("Heads, tokens and matrices by how far they "
                                                   "moved from A to B")},
                             {tr("Texts"), tr("The texts on which the predictions of two models "
                                              "differ most")}});
    m_sections->setCurrent(0);
    connect(m_sections, &SegmentBar::currentChanged, this,
            [this](int index) { setSection(static_cast<Section>(index)); });
    connect(m_differences, &DifferencePanel::headOpened, this, [this] {
        session().view().setShownVariant(Variant::Difference);
        emit pageWanted(QStringLiteral("head"));
    });
    connect(m_differences, &DifferencePanel::problemRaised, this, &ComparePage::messageWanted);
    connect(m_rankedTexts, &RankedTexts::textOpened, this, [this] { setSection(Section::Moved); });
}

void ComparePage::setSection(Section section)
{
    m_sections->setCurrent(static_cast<int>(section));
    m_stack->setCurrentIndex(static_cast<int>(section));
    if (isVisible())
        refresh({});
    emit hintChanged();
}

ComparePage::Section ComparePage::section() const
{
    return static_cast<Section>(m_stack->currentIndex());
}

/// A field that loses focus while its window is destroyed must not request a new B.
ComparePage::~ComparePage()
{
    m_texts->stop();
}

/// Large windows have room for large cells.
void ComparePage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    m_moved->setMapHeight(std::clamp(height() / 4, kLeastMap, kLargestMap));
}

void ComparePage::setModelNames(const QStringList& names)
{
    m_model->setNames(names);
}

Figure ComparePage::figure() const
{
    if (section() == Section::Moved && m_differences->subject().a == session().traceA())
        return differenceFigure(m_differences->subject(), m_differences->differences());
    return compareFigure(session().viewSnapshot(), options());
}

void ComparePage::focusMain()
{
    if (section() == Section::Moved)
        m_differences->heads().table().setFocus(Qt::OtherFocusReason);
    else if (section() == Section::Texts)
        m_rankedTexts->table().table().setFocus(Qt::OtherFocusReason);
    else
        m_grids->a().setFocus(Qt::OtherFocusReason);
}

bool ComparePage::isSettled() const
{
    switch (section()) {
    case Section::Moved:
        return m_differences->isSettled();
    case Section::Texts:
        return !m_rankedTexts->isRanking();
    default:
        return !m_meter.isMeasuring();
    }
}

QJsonObject ComparePage::options() const
{
    return {{QStringLiteral("section"), QLatin1String(kSections[m_stack->currentIndex()])}};
}

void ComparePage::setOptions(const QJsonObject& options)
{
    const QString wanted = options.value(QLatin1String("section")).toString();
    for (int index = 0; index < m_stack->count(); ++index)
        if (wanted == QLatin1String(kSections[index]))
            setSection(static_cast<Section>(index));
}

QString ComparePage::hint() const
{
    if (section() == Section::Moved)
        return tr("Up, Down: next row \u00B7 Left, Right: sort by another column \u00B7 Enter: "
                  "open the head");
    if (section() == Section::Texts)
        return tr("Up, Down: next text \u00B7 Enter: open the text \u00B7 Esc cancels");
    return tr(
        "Enter picks a cell of A, Enter patches it into B \u00B7 Esc cancels \u00B7 Ctrl+click: "
        "a number's origin");
}

MaybeNumber ComparePage::numberAt(std::optional<QPoint> place) const
{
    if (section() != Section::Layers)
        return std::nullopt;
    const auto cell = m_grids->cellAt(place);
    return cell ? lensNumber(m_meter.subject(), comparison(), cell->variant, cell->cell)
                : std::nullopt;
}

QString ComparePage::whyNoNumber() const
{
    return tr("Select a cell of A's or B's grid first. A divergence compares two variants and "
              "has no single origin.");
}

bool ComparePage::escape()
{
    return m_rankedTexts->cancel() || m_grids->putDown();
}

void ComparePage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || !escape())
        Page::keyPressEvent(event);
}

void ComparePage::patch(HeatmapCell cellOfA, HeatmapCell cellOfB)
{
    const auto from = tokenAt(comparison(), cellOfA.row, Variant::A);
    const auto to = tokenAt(comparison(), cellOfB.row, Variant::B);
    const TraceKey source = lensKey(m_meter.subject(), cellOfA.column);
    if (!from || !to)
        return;
    if (source.layer != cellOfB.column) {
        emit messageWanted(tr("Patch into the same layer of B: the streams of layers %1 and %2 "
                              "are not comparable.")
                               .arg(source.layer)
                               .arg(cellOfB.column));
        return;
    }
    Changes changes = session().changes();
    std::erase_if(changes.patches, [&](const CellPatch& patch) {
        return patch.key == source && patch.toToken == *to;
    });
    changes.patches.push_back({source, *from, *to});
    session().document().setChanges(changes, tr("patch of layer %1").arg(source.layer));
}

void ComparePage::refresh(ChangeSet)
{
    m_texts->refresh();
    m_model->refresh();
    if (section() == Section::Moved)
        m_differences->refresh();
    m_rankedTexts->refresh();
    m_meter.measure(session().viewSnapshot());
    showComparison();
}

QString ComparePage::summary() const
{
    const Comparison& shown = comparison();
    if (shown.lines.empty())
        return session().text().isEmpty() ? tr("Type a sentence to compare.") : tr("Computing.");
    if (shown.a.stageCount() == 0)
        return tr("This model predicts no tokens, so its layers have no predictions to show.");
    QString words = alignmentText(shown.alignedCount(), static_cast<int>(shown.lines.size()),
                                  shown.differingPredictions());
    if (shown.kind == AlignmentKind::Ends)
        words += QStringLiteral(" \u00B7 ") +
                 tr("the models tokenise the text differently: each line pairs tokens that end "
                    "at the same byte");
    else if (shown.kind == AlignmentKind::Texts)
        words += QStringLiteral(" \u00B7 ") +
                 tr("two vocabularies: each line pairs tokens with the same text");
    const ViewSnapshot view = session().viewSnapshot();
    if (view.b && !view.isComparable())
        words += QStringLiteral(" \u00B7 ") +
                 tr("A and B have different lengths or sizes, so B\u2212A of the maps is not "
                    "defined");
    return words;
}

void ComparePage::showComparison()
{
    const ViewSnapshot now = session().viewSnapshot();
    ViewSnapshot view = m_meter.subject();
    setProperty("computing", view.a != now.a || view.b != now.b);
    view.selection = session().selection();
    view.colourMap = session().view().colourMap();
    m_summary->setText(summary());
    if (session().text().isEmpty())
        m_grids->setContents({}, {});
    else
        m_grids->setContents(lensContent(view, m_meter.comparison(), Variant::A),
                             lensContent(view, m_meter.comparison(), Variant::B));
    m_moved->refresh(view, comparison());
}

PageDescriptor ComparePage::descriptor()
{
    return {.name = "compare",
            .title = tr("Compare"),
            .question = tr("How do two texts or two models differ?"),
            .group = PageGroup::Change,
            .icon = "<rect x='2.5' y='3' width='6' height='14' rx='1'/><rect x='11.5' y='3' "
                    "width='6' height='14' rx='1' fill='@'/>",
            .help = tr("Compare two sentences or two models side by side, with their difference "
                       "where both have the same number of tokens. What moved ranks heads, tokens "
                       "and matrices by how far B is from A."),
            .terms = {"ablation"},
            .make = makePage<ComparePage>,
            .figure = compareFigure,
            .whyModel = tr("A captured trace has no second variant. Open a model to compare "
                           "with.")};
}

} // namespace headscope::ui
