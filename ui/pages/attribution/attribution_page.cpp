#include "ui/pages/attribution/attribution_page.h"

#include "ui/pages/attribution/attribution_controls.h"
#include "ui/pages/attribution/attribution_figure.h"
#include "ui/pages/attribution/attribution_inputs_panel.h"
#include "ui/pages/attribution/attribution_map_panel.h"
#include "ui/pages/shared/column_scroll.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/pages/shared/page_frame.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/labels.h"

namespace headscope::ui {

namespace {

constexpr int kPartsWidth = 320;
constexpr int kSourcesWidth = 272;

QWidget* scrolled(BarsWidget* bars, int width, QWidget* parent)
{
    auto* scroll = transparentScroll(bars, parent);
    scroll->setFixedWidth(width);
    bars->setFocusPolicy(Qt::StrongFocus);
    return scroll;
}

QLayout* titled(QWidget* title, QWidget* body)
{
    return columnOf(8, {title, {body, 1}});
}

} // namespace

AttributionPage::AttributionPage(Session& session)
    : Page(session)
    , m_measurement(session)
    , m_title(heading({}, this))
    , m_controls(new AttributionControls(session, m_measurement, this))
    , m_sum(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_bars(new BarsWidget)
    , m_sourcesTitle(heading({}, this))
    , m_sources(new BarsWidget)
    , m_inputs(new AttributionInputsPanel(this))
{
    new PageFrame(*this, {m_controls, m_sum, {makeColumns(), 1}, m_inputs}, 6, {24, 12, 24, 4});
    m_empty = new EmptyState(this);
    connectWidgets();
    setMainWidget(map());
}

QLayout* AttributionPage::makeColumns()
{
    m_title->setObjectName("title");
    m_sum->setObjectName("sum");
    m_bars->setObjectName("parts");
    m_bars->setAccessibleName(tr("Contributions to the logit"));
    m_sources->setObjectName("sources");
    m_sources->setAccessibleName(tr("Source tokens of the selected head"));
    m_title->setWordWrap(true);
    m_sourcesTitle->setWordWrap(true);
    auto* parts = scrolled(m_bars, kPartsWidth, this);
    auto* sources = scrolled(m_sources, kSourcesWidth, this);
    m_map = new AttributionMapPanel(this);
    return rowOf(32, {titled(m_title, parts), {m_map, 1}, titled(m_sourcesTitle, sources)});
}

void AttributionPage::connectWidgets()
{
    connect(&m_measurement, &AttributionMeasurement::changed, this, &AttributionPage::refreshAll);
    connect(&m_measurement, &AttributionMeasurement::inputsAdvanced, m_inputs,
            &AttributionInputsPanel::showProgress);
    connect(m_controls, &AttributionControls::messageWanted, this, &Page::messageWanted);
    connect(m_bars, &BarsWidget::barActivated, this, &AttributionPage::chooseBar);
    connect(m_map, &AttributionMapPanel::headChosen, this, &AttributionPage::chooseHead);
    connect(m_map, &AttributionMapPanel::headOpened, this, &AttributionPage::openHead);
}

void AttributionPage::chooseBar(int index)
{
    const auto place = static_cast<std::size_t>(index);
    if (place >= m_content.rows.size())
        return;
    const LogitPart& part = m_content.rows[place].part;
    if (part.kind == LogitPartKind::Head)
        chooseHead({part.layer, part.head, part.cross});
}

void AttributionPage::chooseHead(const LogitHead& head)
{
    AttributionOptions options = m_measurement.options();
    options.head = head;
    m_measurement.ask(options);
}

void AttributionPage::openHead()
{
    session().view().activateHead(m_content.head.layer, m_content.head.head);
    emit pageWanted(QStringLiteral("head"));
}

bool AttributionPage::escape()
{
    AttributionOptions options = m_measurement.options();
    if (options.other >= 0)
        options.other = -1;
    else if (options.head)
        options.head.reset();
    else
        return false;
    m_measurement.ask(options);
    return true;
}

HeatmapWidget& AttributionPage::map() const
{
    return m_map->map();
}

void AttributionPage::refresh(ChangeSet)
{
    m_measurement.measure();
    refreshAll();
}

void AttributionPage::refreshAll()
{
    m_controls->refresh();
    refreshContent();
}

void AttributionPage::refreshContent()
{
    const bool waits = m_measurement.waitsForParts();
    if (waits && !session().text().isEmpty() && !m_content.rows.empty())
        return; // Keep the last image.
    m_content = {};
    if (!session().text().isEmpty() && !waits)
        m_content = attributionContent(m_measurement.computed(), m_measurement.options(),
                                       m_measurement.parts(), m_measurement.inputs());
    m_title->setText(m_content.target);
    m_sum->setText(sumText());
    m_controls->refreshTokens(m_content);
    refreshBars();
    m_map->setContent(m_content);
    refreshSources();
    m_inputs->setContent(m_content, !m_measurement.waitsForInputs());
    refreshEmptyState();
}

QString AttributionPage::sumText() const
{
    if (m_content.rows.empty())
        return {};
    return tr("%1 contributions sum to %2; the model's logit is %3.")
        .arg(m_content.rows.size())
        .arg(number(m_content.sum, 4), number(m_content.logit, 4));
}

void AttributionPage::refreshBars()
{
    std::vector<Bar> bars;
    for (const AttributionRow& row : m_content.rows) {
        Bar bar;
        bar.label = row.label;
        bar.value = row.value;
        bar.words = signedNumber(row.value, 3);
        const bool isHead = row.part.kind == LogitPartKind::Head;
        bar.role = isHead                                ? Role::Accent
                   : row.part.kind == LogitPartKind::Mlp ? Role::Value
                                                         : Role::Plain;
        bar.subject =
            isHead && LogitHead{row.part.layer, row.part.head, row.part.cross} == m_content.head;
        bars.push_back(bar);
    }
    m_bars->setBars(std::move(bars));
}

void AttributionPage::refreshSources()
{
    const bool shown = !m_content.rows.empty() && !m_content.map.matrix.isEmpty();
    m_sourcesTitle->setVisible(shown);
    m_sources->setVisible(shown);
    LogitPart head;
    head.layer = m_content.head.layer;
    head.head = m_content.head.head;
    head.cross = m_content.head.cross;
    const QString name = nameOf(head);
    m_sourcesTitle->setText(m_content.sourcesProblem.isEmpty()
                                ? tr("Sources of %1").arg(name)
                                : tr("%1. %2").arg(name, m_content.sourcesProblem));
    m_sources->setBars(m_content.sources);
}

void AttributionPage::refreshEmptyState()
{
    EmptyText words;
    if (!m_content.problem.isEmpty())
        words = {tr("This logit cannot be decomposed"), m_content.problem};
    else if (!m_measurement.waitsForParts() && session().shownTrace() && m_content.rows.empty())
        words = {tr("No logit to decompose"), tr("This trace has no logits that can be compared.")};
    m_empty->refresh(session(),
                     tr("Type a sentence above: the contributions to its next-token logit "
                        "appear here."),
                     words);
}

Figure AttributionPage::figure() const
{
    return attributionFigure(session().viewSnapshot(), options());
}

bool AttributionPage::isSettled() const
{
    return !m_measurement.waitsForParts() && !m_measurement.waitsForInputs();
}

QJsonObject AttributionPage::options() const
{
    return m_measurement.options().toJson();
}

void AttributionPage::setOptions(const QJsonObject& options)
{
    m_measurement.ask(AttributionOptions::fromJson(options));
}

QString AttributionPage::hint() const
{
    return tr("The logit is read at the query token \u00B7 Click or arrows: a head's sources "
              "\u00B7 Enter: that head \u00B7 Ctrl+Enter: the logit's origin");
}

MaybeNumber AttributionPage::numberAt(std::optional<QPoint>) const
{
    const ViewSnapshot& computed = m_measurement.computed();
    const auto target = m_content.rows.empty()
                            ? std::nullopt
                            : attributionTarget(computed, m_measurement.options());
    if (!target || target->other)
        return std::nullopt;
    return ShownNumber{cellNumber({Site::Logits, 0}, {target->position, target->token}),
                       variantOf(computed)};
}

QString AttributionPage::whyNoNumber() const
{
    return tr("A logit difference has two origins. Remove the contrast token to trace one.");
}

PageDescriptor AttributionPage::descriptor()
{
    return {.name = "attribution",
            .title = tr("Attribution"),
            .question = tr("Which components produce this logit?"),
            .group = PageGroup::Find,
            .icon = "<path d='M10 2.5v15'/><rect x='10' y='3.75' width='6.5' height='3' "
                    "fill='@'/><rect x='5.5' y='8.5' width='4.5' height='3'/><rect x='10' "
                    "y='13.25' width='3.5' height='3' fill='@'/>",
            .help = tr("Decompose a token's logit (direct logit attribution): the embeddings, "
                       "each head and each MLP contribute to it and sum to it. The query token "
                       "sets the position."),
            .terms = {"residual stream", "logits"},
            .make = makePage<AttributionPage>,
            .figure = attributionFigure};
}

} // namespace headscope::ui
