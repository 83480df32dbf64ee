// Where the widgets of the Attribution page stand.
#include "ui/pages/attribution/attribution_page.h"
#include "ui/pages/shared/choice_bars.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/charts/line_chart_widget.h"
#include "ui/widgets/controls/segments.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QScrollArea>
#include <QVBoxLayout>

namespace headscope::ui {

namespace {

constexpr int kPartsWidth = 320;
constexpr int kSourcesWidth = 272;
constexpr int kInputsHeight = 112;
constexpr int kLeastMap = 120; ///< heights that leave room in a window of 768 pixels
constexpr int kLeastCourse = 132;
constexpr int kChoiceWidth = 190;

QScrollArea* scrolled(BarsWidget* bars, QWidget* parent)
{
    auto* scroll = new QScrollArea(parent);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    scroll->setWidget(bars);
    bars->setAutoFillBackground(false);
    bars->setFocusPolicy(Qt::StrongFocus);
    return scroll;
}

} // namespace

AttributionPage::AttributionPage(Session& session, QWidget* parent)
    : Page(session, parent)
    , m_title(heading({}, this))
    , m_token(new ChoiceBox(this))
    , m_other(new ChoiceBox(this))
    , m_typed(new QLineEdit(this))
    , m_run(new SegmentBar(this))
    , m_order(new SegmentBar(this))
    , m_sum(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_bars(new BarsWidget)
    , m_sourcesTitle(heading({}, this))
    , m_sources(new BarsWidget)
    , m_inputsTitle(heading(tr("What each input token does to it"), this))
    , m_inputs(new HeatmapWidget(this))
    , m_inputsNote(caption({}, this))
{
    setProperty("role", "page");
    setAttribute(Qt::WA_StyledBackground);
    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(24, 16, 24, 16);
    page->setSpacing(8);
    page->addLayout(makeTopRow());
    page->addWidget(m_sum);
    page->addLayout(makeColumns(), 1);
    auto* inputsRow = new QHBoxLayout;
    inputsRow->setSpacing(12);
    inputsRow->addWidget(m_inputsTitle);
    m_inputsNote->setWordWrap(true);
    inputsRow->addWidget(m_inputsNote, 1, Qt::AlignVCenter);
    page->addLayout(inputsRow);
    m_inputs->setFixedHeight(kInputsHeight);
    m_inputs->setAccessibleName(tr("Attribution of the input tokens"));
    m_inputs->setToolTip(tr("Each row is coloured up to its own largest value"));
    HeatmapOptions flat;
    flat.square = false;
    flat.corner = false;
    flat.decimals = 2;
    m_inputs->setOptions(flat);
    page->addWidget(m_inputs);
    m_empty = new EmptyState(this);
    connectWidgets();
}

QLayout* AttributionPage::makeTopRow()
{
    setUpRuns(*m_run);
    m_order->setSegments({{tr("Largest first"), tr("By the size of the part")},
                          {tr("Model order"), tr("From the embeddings to the last layer")}});
    m_order->setAccessibleName(tr("Order of the parts"));
    m_token->setPurpose(tr("Whose logit"));
    m_other->setPurpose(tr("The token that it is compared with"));
    for (ChoiceBox* box : {m_token, m_other})
        box->setFixedWidth(kChoiceWidth);
    m_typed->setPlaceholderText(tr("or type: mat - rug"));
    m_typed->setAccessibleName(tr("A token, or two with a minus between them"));
    m_typed->setToolTip(tr("One token, or two with \u201C - \u201D between them: the difference of "
                           "their logits"));
    m_typed->setFixedWidth(150);
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(m_token);
    row->addWidget(m_other);
    row->addWidget(m_typed);
    row->addStretch(1);
    row->addWidget(m_run);
    row->addWidget(m_order);
    return row;
}

QLayout* AttributionPage::makeColumns()
{
    m_bars->setAccessibleName(tr("Parts of the logit"));
    m_sources->setAccessibleName(tr("Source tokens of the chosen head"));
    m_title->setWordWrap(true);
    m_sourcesTitle->setWordWrap(true);
    const auto column = [](QWidget* title, QWidget* body) {
        auto* layout = new QVBoxLayout;
        layout->setSpacing(8);
        layout->addWidget(title);
        layout->addWidget(body, 1);
        return layout;
    };
    auto* partsScroll = scrolled(m_bars, this);
    partsScroll->setFixedWidth(kPartsWidth);
    auto* sourcesScroll = scrolled(m_sources, this);
    sourcesScroll->setFixedWidth(kSourcesWidth);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(32);
    columns->addLayout(column(m_title, partsScroll));
    columns->addWidget(makeMiddle(), 1);
    columns->addLayout(column(m_sourcesTitle, sourcesScroll));
    return columns;
}

QWidget* AttributionPage::makeMiddle()
{
    auto* middle = new QWidget(this);
    m_mapTitle = heading(tr("Heads and MLPs by layer"), middle);
    m_map = new HeatmapWidget(middle);
    m_map->setAccessibleName(tr("Parts of the logit by head and layer"));
    HeatmapOptions options;
    options.corner = false;
    options.square = false;
    options.decimals = 1;
    m_map->setOptions(options);
    m_map->setMinimumHeight(kLeastMap);
    m_legend = new ColourBar(middle);
    m_course = new LineChart(tr("Sum of the parts through the layers"), middle);
    m_course->setMinimumHeight(kLeastCourse);
    auto* layout = new QVBoxLayout(middle);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_mapTitle);
    layout->addWidget(m_map, 1);
    layout->addWidget(m_legend);
    layout->addWidget(m_course, 1);
    return middle;
}

} // namespace headscope::ui
