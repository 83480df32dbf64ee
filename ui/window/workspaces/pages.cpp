#include "ui/window/workspaces/pages.h"

#include "ui/pages/architecture/architecture_figure.h"
#include "ui/pages/architecture/architecture_page.h"
#include "ui/pages/arcs/arcs_figure.h"
#include "ui/pages/arcs/arcs_page.h"
#include "ui/pages/attribution/attribution_figure.h"
#include "ui/pages/attribution/attribution_page.h"
#include "ui/pages/causal/causal_figure.h"
#include "ui/pages/causal/causal_page.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/cross/cross_figure.h"
#include "ui/pages/cross/cross_page.h"
#include "ui/pages/distance/distance_page.h"
#include "ui/pages/example/example_figure.h"
#include "ui/pages/example/example_page.h"
#include "ui/pages/experiments/experiments_page.h"
#include "ui/pages/flow/flow_figure.h"
#include "ui/pages/flow/flow_page.h"
#include "ui/pages/head/head_page.h"
#include "ui/pages/heads/heads_figure.h"
#include "ui/pages/heads/heads_page.h"
#include "ui/pages/labs/lab_page.h"
#include "ui/pages/lens/lens_figure.h"
#include "ui/pages/lens/lens_page.h"
#include "ui/pages/lessons/lesson_author_page.h"
#include "ui/pages/lessons/lessons_page.h"
#include "ui/pages/mask/mask_figure.h"
#include "ui/pages/mask/mask_page.h"
#include "ui/pages/next_token/next_token_page.h"
#include "ui/pages/next_token/next_token_table.h"
#include "ui/pages/origin/origin_page.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/pages/positions/positions_figure.h"
#include "ui/pages/positions/positions_page.h"
#include "ui/pages/qk/qk_page.h"
#include "ui/pages/runs/run_form_page.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/shared/changes/what_if_content.h"
#include "ui/pages/shared/figures/head_figure.h"
#include "ui/pages/shared/figures/overview_figure.h"
#include "ui/pages/train/train_page.h"
#include "ui/pages/what_if/what_if_page.h"

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
        {"overview", tr("Overview"), IconName::Overview, make<OverviewPage>, grid},
        {"head", tr("Head"), IconName::Head, make<HeadPage>, headFigure},
        {"heads", tr("Heads"), IconName::Heads, make<HeadsPage>, heads},
        {"arcs", tr("Arcs"), IconName::Arcs, make<ArcsPage>, arcsFigure},
        {"qk", tr("Query \u00B7 Key"), IconName::QueryKey, make<QkPage>, qkFigure},
        {"distance", tr("Distance"), IconName::Distance, make<DistancePage>, distanceFigure},
        {"cross", tr("Cross"), IconName::Cross, make<CrossPage>, cross},
        {"flow", tr("Flow"), IconName::Flow, make<FlowPage>, flow},
        {"what-if", tr("What-if"), IconName::WhatIf, make<WhatIfPage>, whatIfFigure},
        {"compare", tr("Compare"), IconName::Compare, make<ComparePage>, compareFigure},
        {"origin", tr("Origin"), IconName::Origin, make<OriginPage>, originFigure},
        {"lens", tr("Lens"), IconName::Lens, make<LensPage>, lens},
        {"attribution", tr("Attribution"), IconName::Attribution, make<AttributionPage>,
         attributionFigure},
        {"causal", tr("Causal tests"), IconName::Causal, make<CausalPage>, causalFigure},
        {"next-token", tr("Next token"), IconName::NextToken, make<NextTokenPage>, nextTokenFigure},
        {"positions", tr("Positions"), IconName::Positions, make<PositionsPage>, positionsFigure},
        {"mask", tr("Mask"), IconName::Mask, make<MaskPage>, maskFigure},
        {"architecture", tr("Architecture"), IconName::Architecture, make<ArchitecturePage>,
         architectureFigure},
        {"train", tr("Training"), IconName::Train, make<TrainPage>, {}},
        {"new-run", tr("New run"), IconName::NewRun, make<RunFormPage>, {}},
        {"runs", tr("Runs"), IconName::Runs, make<RunsPage>, {}},
        {"experiments", tr("Experiments"), IconName::Experiments, make<ExperimentsPage>, {}},
        {"lessons", tr("Lessons"), IconName::Lessons, make<LessonsPage>, {}},
        {"example", tr("Worked example"), IconName::Example, make<ExamplePage>, example},
        {"lab", tr("Labs"), IconName::Lab, make<LabPage>, {}},
        {"your-lesson", tr("Your lesson"), IconName::OwnLesson, make<LessonAuthorPage>, {}},
    };
}

} // namespace headscope::ui
