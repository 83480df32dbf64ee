#include "ui/pages/causal/restored_panel.h"

#include "ui/pages/causal/causal_map.h"
#include "ui/pages/causal/causal_measurement.h"
#include "ui/pages/causal/fact_path_content.h"
#include "ui/pages/causal/patch_content.h"
#include "ui/pages/shared/boxes.h"
#include "ui/session/session.h"
#include "ui/widgets/controls/step_bar.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/style/colour_bar.h"

#include <QPushButton>

namespace headscope::ui {

namespace {

constexpr int kSideWidth = 300;

} // namespace

RestoredPanel::RestoredPanel(Session& session, CausalMeasurement& measurement, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_measurement(measurement)
    , m_steps(new StepBar(this))
    , m_map(new CausalMap(this))
    , m_legend(new ColourBar(this))
    , m_title(heading({}, this))
    , m_words(paragraph({}, TextRole::Body, TextLabel::Tone::Text, this))
    , m_apply(new QPushButton(tr("Apply as change"), this))
    , m_back(new QPushButton(tr("Back"), this))
    , m_next(new QPushButton(tr("Next"), this))
{
    m_steps->setAccessibleName(tr("Steps"));
    setUpMap();
    auto* body = rowOf(24, {{m_map, 1}, makeSide()});
    columnOf(12, {m_steps, {body, 1}}, this);
    connectWidgets();
}

void RestoredPanel::setUpMap()
{
    m_map->setAccessibleName(tr("Restored fraction"));
    HeatmapOptions options;
    options.decimals = 2;
    options.largestCell = 52.0;
    m_map->setOptions(options);
    m_map->setZoomable(true);
}

QLayout* RestoredPanel::makeButtons()
{
    m_apply->setToolTip(tr("B runs the corrupted text with this activation patched in from A"));
    return rowOf(kStyleSpacing, {m_back, m_next, m_apply, Placed::space()});
}

QWidget* RestoredPanel::makeSide()
{
    m_words->setObjectName("words");
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* side = new QWidget(this);
    side->setFixedWidth(kSideWidth);
    columnOf(8, {m_title, m_words, makeButtons(), Placed::space(), m_legend}, side);
    return side;
}

void RestoredPanel::connectWidgets()
{
    connect(m_map, &HeatmapWidget::cellActivated, this, &RestoredPanel::chooseCell);
    connect(m_map, &HeatmapWidget::currentClicked, this, [this] { emit cellClickedAgain(); });
    connect(m_apply, &QPushButton::clicked, this, &RestoredPanel::applyAsChange);
    connect(m_steps, &StepBar::stepChosen, this, &RestoredPanel::goTo);
    connect(m_back, &QPushButton::clicked, this, [this] { goTo(choice().step - 1); });
    connect(m_next, &QPushButton::clicked, this, [this] { goTo(choice().step + 1); });
}

const CausalChoice& RestoredPanel::choice() const
{
    return m_measurement.choice();
}

void RestoredPanel::focusMap()
{
    m_map->setFocus(Qt::OtherFocusReason);
}

void RestoredPanel::goTo(int step)
{
    CausalChoice changed = choice();
    changed.step = step;
    m_measurement.show(changed);
}

void RestoredPanel::chooseCell(HeatmapCell cell)
{
    if (choice().section != CausalSection::Patch)
        return;
    CausalChoice changed = choice();
    changed.cell = cell;
    const bool ofHeads = !isByPosition(changed.site) && changed.site != PatchSite::Cell;
    if (ofHeads && changed.site != PatchSite::Key && changed.site != PatchSite::Value)
        emit headActivated({cell.row, cell.column});
    m_measurement.show(changed);
}

/// The same patched run as variant B of the window: the corrupted text with one activation of A.
void RestoredPanel::applyAsChange()
{
    constexpr Site kSites[] = {Site::ResidPre, Site::AttnOut, Site::MlpOut};
    const ViewSnapshot view = m_session.viewSnapshot();
    const auto cell = choice().cell;
    if (!cell || !isByPosition(choice().site))
        return;
    Changes changes = view.changes;
    changes.text = corruptedText(view, choice());
    const TraceKey key{kSites[static_cast<int>(choice().site)], cell->row, Stack::Blocks};
    changes.patches = {{key, cell->column, cell->column}};
    m_session.document().setChanges(changes, tr("patch"));
    emit changeApplied();
}

void RestoredPanel::refresh()
{
    const FactPath* const path = m_measurement.path();
    const PatchGrid* const grid = m_measurement.grid();
    const bool steps = choice().section == CausalSection::Path;
    m_steps->setVisible(steps && path != nullptr);
    m_back->setVisible(steps);
    m_next->setVisible(steps);
    m_apply->setVisible(false);
    if (path != nullptr) {
        showStep(*path);
    } else if (grid != nullptr) {
        showPatch(*grid);
    } else {
        m_map->setShown({});
        m_words->clear();
    }
}

void RestoredPanel::showStep(const FactPath& path)
{
    m_measurement.limitStep(stepCount(path));
    const int step = choice().step;
    StepBarContent bar;
    bar.titles = stepTitles(path);
    bar.now = step;
    bar.complete = step;
    m_steps->setContent(bar);
    const StepContent content = stepContent(m_session.viewSnapshot(), path, step);
    showMap(content.shown, content.title, content.words);
    m_back->setEnabled(step > 0);
    m_next->setEnabled(step + 1 < stepCount(path));
}

void RestoredPanel::showPatch(const PatchGrid& grid)
{
    const ViewSnapshot view = m_session.viewSnapshot();
    const PatchContent content = patchContent(view, choice(), grid);
    showMap(content.shown, content.title,
            content.problem.isEmpty() ? content.words : content.problem);
    const bool oneStack = view.modelA.model->config().mainStack() == Stack::Blocks;
    m_apply->setVisible(choice().cell && isByPosition(choice().site) && oneStack);
}

void RestoredPanel::showMap(const MarkedMap& map, const QString& title, const QString& words)
{
    m_map->setShown(map);
    m_legend->setContent(map.legend);
    m_title->setText(title);
    m_words->setText(words);
}

} // namespace headscope::ui
