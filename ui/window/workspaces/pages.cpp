#include "ui/window/workspaces/pages.h"

#include "ui/pages/architecture/architecture_figure.h"
#include "ui/pages/architecture/architecture_view.h"
#include "ui/pages/arcs/arcs_view.h"
#include "ui/pages/attribution/attribution_view.h"
#include "ui/pages/causal/causal_view.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/pages/cross/cross_view.h"
#include "ui/pages/distance/distance_view.h"
#include "ui/pages/example/example_figure.h"
#include "ui/pages/example/example_view.h"
#include "ui/pages/experiments/experiments_view.h"
#include "ui/pages/flow/flow_view.h"
#include "ui/pages/shared/figures/head_figure.h"
#include "ui/pages/head/head_view.h"
#include "ui/pages/heads/heads_view.h"
#include "ui/pages/labs/lab_view.h"
#include "ui/pages/lens/lens_view.h"
#include "ui/pages/lessons/lesson_author_view.h"
#include "ui/pages/lessons/lessons_view.h"
#include "ui/pages/mask/mask_figure.h"
#include "ui/pages/mask/mask_view.h"
#include "ui/pages/next_token/next_token_table.h"
#include "ui/pages/next_token/next_token_view.h"
#include "ui/pages/origin/origin_view.h"
#include "ui/pages/shared/figures/overview_figure.h"
#include "ui/pages/overview/overview_view.h"
#include "ui/pages/positions/positions_figure.h"
#include "ui/pages/positions/positions_view.h"
#include "ui/pages/qk/qk_view.h"
#include "ui/pages/runs/run_form_view.h"
#include "ui/pages/runs/runs_view.h"
#include "ui/pages/train/train_view.h"
#include "ui/pages/shared/changes/what_if_content.h"
#include "ui/pages/what_if/what_if_view.h"

#include <QCoreApplication>

namespace headscope::ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Pages", text);
}

template<class View>
QWidget* make(Session& session)
{
    return new View(session);
}

} // namespace

std::vector<PageEntry> pageEntries()
{
    const auto grid = [](const Looking& looking, const QJsonObject& options) {
        return gridFigure(looking, options);
    };
    const auto heads = [](const Looking& looking, const QJsonObject& options) {
        return headsFigure(looking, options);
    };
    const auto cross = [](const Looking& looking, const QJsonObject& options) {
        return crossFigure(looking, options);
    };
    const auto flow = [](const Looking& looking, const QJsonObject& options) {
        return flowFigure(looking, options);
    };
    const auto lens = [](const Looking& looking, const QJsonObject& options) {
        return lensFigure(looking, options);
    };
    const auto example = [](const Looking& looking, const QJsonObject& options) {
        return exampleFigure(looking, options);
    };
    return {
        {"overview", tr("Overview"), IconName::Overview, make<OverviewView>, grid},
        {"head", tr("Head"), IconName::Head, make<HeadView>, headFigure},
        {"heads", tr("Heads"), IconName::Heads, make<HeadsView>, heads},
        {"arcs", tr("Arcs"), IconName::Arcs, make<ArcsView>, arcsFigure},
        {"qk", tr("Query \u00B7 Key"), IconName::QueryKey, make<QkView>, qkFigure},
        {"distance", tr("Distance"), IconName::Distance, make<DistanceView>, distanceFigure},
        {"cross", tr("Cross"), IconName::Cross, make<CrossView>, cross},
        {"flow", tr("Flow"), IconName::Flow, make<FlowView>, flow},
        {"what-if", tr("What-if"), IconName::WhatIf, make<WhatIfView>, whatIfFigure},
        {"compare", tr("Compare"), IconName::Compare, make<CompareView>, compareFigure},
        {"origin", tr("Origin"), IconName::Origin, make<OriginView>, originFigure},
        {"lens", tr("Lens"), IconName::Lens, make<LensView>, lens},
        {"attribution", tr("Attribution"), IconName::Attribution, make<AttributionView>,
         attributionFigure},
        {"causal", tr("Causal tests"), IconName::Causal, make<CausalView>, causalFigure},
        {"next-token", tr("Next token"), IconName::NextToken, make<NextTokenView>, nextTokenFigure},
        {"positions", tr("Positions"), IconName::Positions, make<PositionsView>, positionsFigure},
        {"mask", tr("Mask"), IconName::Mask, make<MaskView>, maskFigure},
        {"architecture", tr("Architecture"), IconName::Architecture, make<ArchitectureView>,
         architectureFigure},
        {"train", tr("Training"), IconName::Train, make<TrainView>, {}},
        {"new-run", tr("New run"), IconName::NewRun, make<RunFormView>, {}},
        {"runs", tr("Runs"), IconName::Runs, make<RunsView>, {}},
        {"experiments", tr("Experiments"), IconName::Experiments, make<ExperimentsView>, {}},
        {"lessons", tr("Lessons"), IconName::Lessons, make<LessonsView>, {}},
        {"example", tr("Worked example"), IconName::Example, make<ExampleView>, example},
        {"lab", tr("Labs"), IconName::Lab, make<LabView>, {}},
        {"your-lesson", tr("Your lesson"), IconName::OwnLesson, make<LessonAuthorView>, {}},
    };
}

} // namespace headscope::ui
