#include "ui/pages/lens/lens_page.h"

#include "ui/pages/lens/lens_cell_panel.h"
#include "ui/pages/lens/lens_charts.h"
#include "ui/pages/lens/lens_figure.h"
#include "ui/pages/lens/lens_readings.h"
#include "ui/pages/lens/lens_target_row.h"
#include "ui/pages/lens/lens_training_panel.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/pages/shared/page_frame.h"
#include "ui/pages/shared/variant_bar.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"

#include <QCheckBox>
#include <QKeyEvent>
#include <QScrollArea>
#include <QSignalBlocker>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kLow = 540;           // Page height (px) below which fewer tokens are listed.
constexpr double kLeastCell = 40.0; // Narrower cells scroll.
constexpr double kLeastLabels = 108.0;

} // namespace

LensPage::LensPage(Session& session)
    : Page(session)
    , m_measurement(session)
    , m_variant(new VariantBar(session, this))
    , m_lens(new SegmentBar(this))
    , m_measure(new SegmentBar(this))
    , m_halfSteps(new QCheckBox(tr("Include between attention and MLP"), this))
    , m_target(new LensTargetRow(session, m_measurement, this))
    , m_training(new LensTrainingPanel(session, this))
    , m_scroll(new QScrollArea(this))
    , m_grid(new LensGrid)
{
    auto* column = new PageFrame(
        *this, {makeTopRow(), m_training, makeMeasureRow(), m_target, {makeBody(), 1}}, 8,
        QMargins());
    column->setContentsMargins(24, 12, 24, 12);
    m_charts = new LensCharts(this);
    column->addWidget(m_charts);
    m_empty = new EmptyState(m_scroll);
    m_variant->setWhyNoDifference(
        [this] { return m_measurement.isMeasuring() ? QString() : whyNoDifference(reading()); });
    connectChoices();
    connectMeasurement();
    connectParts();
    refreshAll();
    setMainWidget(*m_grid);
}

QLayout* LensPage::makeTopRow()
{
    m_lens->setObjectName("lenses");
    m_lens->setSegments(
        {{tr("Logit lens"), tr("Final norm and unembedding applied at each stage")},
         {tr("Tuned lens"), tr("Logit lens after an affine map, trained per stage to match the "
                               "model's output")}});
    m_lens->setAccessibleName(tr("Lens"));
    return topRow(heading(tr("Prediction at each layer"), this), {m_variant, m_lens});
}

QLayout* LensPage::makeMeasureRow()
{
    std::vector<Segment> segments;
    for (int measure = 0; measure < kLensMeasures; ++measure)
        segments.push_back({measureTitle(static_cast<LensMeasure>(measure)),
                            measureMeaning(static_cast<LensMeasure>(measure))});
    m_measure->setObjectName("measures");
    m_measure->setSegments(segments);
    m_measure->setAccessibleName(tr("Quantity in the cells"));
    return rowOf(16, {m_measure, m_halfSteps, Placed::space()});
}

QLayout* LensPage::makeBody()
{
    m_scroll->setProperty("role", "page");
    m_scroll->setWidget(m_grid);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_grid->setAccessibleName(tr("Predictions: tokens down, stages across"));
    m_grid->setProperty("role", "page");
    m_grid->setAttribute(Qt::WA_StyledBackground);
    m_cell = new LensCellPanel(this);
    return rowOf(24, {{m_scroll, 1}, m_cell});
}

void LensPage::connectChoices()
{
    connect(m_lens, &SegmentBar::currentChanged, this, [this](int index) {
        m_choice.tuned = index == 1;
        measure();
        refreshAll();
    });
    connect(m_measure, &SegmentBar::currentChanged, this, [this](int index) {
        m_choice.measure = static_cast<LensMeasure>(index);
        refreshAll();
    });
    connect(m_halfSteps, &QCheckBox::toggled, this, [this](bool on) {
        m_choice.halfSteps = on;
        m_choice.stage = -1;
        measure();
        refreshAll();
    });
}

void LensPage::connectMeasurement()
{
    connect(&m_measurement, &LensMeasurement::measured, this, &LensPage::refreshAll);
    connect(&m_measurement, &LensMeasurement::advanced, this, &LensPage::refreshTarget);
    connect(m_training, &LensTrainingPanel::lensMissed, this, &LensPage::refreshAll);
    connect(m_training, &LensTrainingPanel::lensFound, this, [this] {
        measure();
        refreshAll();
    });
}

void LensPage::connectParts()
{
    connect(m_training, &LensTrainingPanel::stepsChosen, this,
            [this](int steps) { m_choice.steps = steps; });
    connect(m_target, &LensTargetRow::targetChosen, this, &LensPage::chooseTarget);
    connect(m_target, &LensTargetRow::noteChanged, this, &LensPage::refreshTarget);
    connect(m_grid, &LensGrid::cellActivated, this, &LensPage::activate);
    connect(m_cell, &LensCellPanel::tokenClicked, this, &LensPage::followBar);
}

void LensPage::activate(HeatmapCell cell)
{
    m_choice.stage = cell.column;
    const StreamLens& lens = readout().lens();
    if (cell.row < lens.rows())
        session().view().selectPair(lens.positions[static_cast<std::size_t>(cell.row)], -1);
    m_measurement.followSelection();
    showCurrent();
    refreshCell();
}

void LensPage::chooseTarget(LensTarget target)
{
    m_choice.target = target;
    measure();
    refreshAll();
}

void LensPage::followBar(int place)
{
    const StreamLens& lens = readout().lens();
    const HeatmapCell cell = current();
    if (cell.row < 0 || cell.row >= lens.rows() || place >= lens.top)
        return;
    m_target->choose(
        {LensTarget::Kind::Chosen, lens.ids[lens.topAt(cell.row, cell.column, place)]});
}

bool LensPage::escape()
{
    if (m_training->isTraining()) {
        m_training->cancel();
        return true;
    }
    if (!m_measurement.isMeasuring())
        return false;
    m_measurement.cancel();
    return true;
}

void LensPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || !escape())
        Page::keyPressEvent(event);
}

void LensPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    m_charts->fitTo(height());
    refreshCell();
}

void LensPage::measure()
{
    m_measurement.measure(m_choice, m_training->tuned());
}

void LensPage::refresh(ChangeSet)
{
    m_training->followModel();
    measure();
    refreshAll();
}

HeatmapCell LensPage::current() const
{
    const LensReadout shown = readout();
    const int stages = shown.lens().stageCount();
    const int stage = m_choice.stage < 0 ? stages - 1 : std::min(m_choice.stage, stages - 1);
    return {shown.view.trace() ? pairOf(shown.view).query : -1, stage};
}

Figure LensPage::figure() const
{
    return lensFigure(readout());
}

bool LensPage::isSettled() const
{
    return !m_measurement.isMeasuring() && !m_training->isBusy();
}

QJsonObject LensPage::options() const
{
    return m_choice.toJson();
}

void LensPage::setOptions(const QJsonObject& options)
{
    m_choice = LensChoice::fromJson(options);
    refresh({});
}

QString LensPage::hint() const
{
    return tr("Arrows move between cells \u00B7 click a bar to follow its token \u00B7 "
              "Ctrl+click: a probability's origin");
}

MaybeNumber LensPage::numberAt(std::optional<QPoint> place) const
{
    m_whyNoNumber.clear();
    const auto inside = within(*m_grid, place);
    const auto cell =
        place ? (inside ? m_grid->cellAt(*inside) : std::nullopt) : m_grid->content().current;
    return cell ? lensCellNumber(readout(), *cell, &m_whyNoNumber) : std::nullopt;
}

QString LensPage::whyNoNumber() const
{
    return m_whyNoNumber.isEmpty() ? tr("Select a cell of the grid first.") : m_whyNoNumber;
}

void LensPage::refreshAll()
{
    m_measurement.follow();
    refreshControls();
    refreshGrid();
    refreshCell();
    refreshTarget();
    m_training->refresh(m_choice.tuned, m_choice.steps);
    refreshEmptyState();
    if (m_grid->content().current && m_grid->content().current->row != m_visibleRow)
        QMetaObject::invokeMethod(this, &LensPage::showCurrent, Qt::QueuedConnection);
}

void LensPage::refreshGrid()
{
    const bool empty = !whyEmpty().isEmpty() || session().text().isEmpty();
    LensContent content = empty ? LensContent() : lensGridContent(readout());
    if (content.rows() > 0)
        content.current = current();
    const double scale = Theme::of(*this).scale();
    m_grid->setMinimumWidth(qRound(scale * (kLeastLabels + kLeastCell * content.columns())));
    m_grid->setContent(std::move(content));
}

/// After the layout has updated.
void LensPage::showCurrent()
{
    const auto cell = m_grid->content().current;
    if (!cell || !m_grid->content().holds(*cell))
        return;
    m_visibleRow = cell->row;
    const QPoint centre = m_grid->cellRect(*cell).center().toPoint();
    const QSize half = m_grid->cellRect(*cell).size().toSize();
    m_scroll->ensureVisible(centre.x(), centre.y(), 2 * half.width(), 2 * half.height());
}

void LensPage::refreshControls()
{
    m_variant->refresh();
    m_lens->setCurrent(m_choice.tuned ? 1 : 0);
    m_measure->setCurrent(static_cast<int>(m_choice.measure));
    refreshHalfSteps();
}

void LensPage::refreshHalfSteps()
{
    const QSignalBlocker blocked(m_halfSteps);
    m_halfSteps->setChecked(m_choice.halfSteps);
    const auto& model = session().model().model;
    const bool hasHalfSteps = !model || lensStages(model->config(), true).size() !=
                                            lensStages(model->config(), false).size();
    m_halfSteps->setEnabled(hasHalfSteps);
    m_halfSteps->setToolTip(hasHalfSteps
                                ? tr("Adds a column per layer: the residual stream after its "
                                     "attention")
                                : tr("This model's layers have attention only, so there is no "
                                     "stage in between"));
}

void LensPage::refreshTarget()
{
    m_target->refresh(readout());
}

void LensPage::refreshCell()
{
    const LensReadout shown = readout();
    const HeatmapCell cell = current();
    const bool any = m_grid->content().holds(cell);
    m_charts->setVisible(any);
    if (!any) {
        m_cell->showNothing();
        return;
    }
    m_cell->showCell(shown, cell, m_grid->content().rowLabels[cell.row], height() < kLow ? 3 : 5);
    m_charts->showRow(shown, cell.row);
}

/// Why nothing is drawn.
QString LensPage::whyEmpty() const
{
    const auto& model = session().model().model;
    if (session().isCaptured())
        return tr("A captured trace has no unembedding. Open the model to use the lens.");
    if (model && !model->config().languageHead)
        return tr("This model has no language head, so there is no lens.");
    if (model && lensStages(model->config()).empty())
        return tr("This model has no layers to read.");
    if (m_choice.tuned && !m_training->tuned() && m_training->isLookedUp() &&
        !m_training->isTraining())
        return tr("Train the tuned lens above, or use the logit lens.");
    if (m_measurement.isMeasuring())
        return {};
    if (readout().view.shown != Variant::A && reading().a.rows() > 0 && reading().b.rows() == 0)
        return tr("The tuned lens was trained for A's model. Use the logit lens for B's.");
    return QString::fromStdString(reading().problem);
}

void LensPage::refreshEmptyState()
{
    const QString why = whyEmpty();
    EmptyText words;
    if (!why.isEmpty())
        words = {tr("No lens available"), why};
    const bool asks = why.isEmpty() && !session().isCaptured();
    m_empty->refresh(
        session(),
        asks ? tr("Type a sentence above to see the prediction at each layer.") : QString(), words);
    m_empty->raise();
}

PageDescriptor LensPage::descriptor()
{
    return {.name = "lens",
            .title = tr("Lens"),
            .question = tr("What does each layer predict so far?"),
            .group = PageGroup::Find,
            .icon = "<path d='M2.75 15.5h3.5M8.25 15.5h3.5M13.75 15.5h3.5M2.75 12h3.5M8.25 "
                    "12h3.5'/><circle cx='11.5' cy='6' r='3.75'/><path d='M14.3 8.8l2.9 2.9'/>",
            .help = tr("Read the residual stream after each layer as a prediction, with the "
                       "model's own unembedding (logit lens) or a trained map (tuned lens). "
                       "Follow any token's rank and probability through the layers."),
            .terms = {"logit lens", "residual stream", "logits"},
            .make = makePage<LensPage>,
            .figure = [](const ViewSnapshot& view, const QJsonObject& options) {
                return lensFigure(view, options);
            }};
}

} // namespace headscope::ui
