#include "ui/window/pages.h"

#include "ui/views/architecture_figure.h"
#include "ui/views/architecture_view.h"
#include "ui/views/arcs_view.h"
#include "ui/views/attribution_view.h"
#include "ui/views/causal_view.h"
#include "ui/views/compare_view.h"
#include "ui/views/cross_view.h"
#include "ui/views/distance_view.h"
#include "ui/views/example_figure.h"
#include "ui/views/example_view.h"
#include "ui/views/experiments_view.h"
#include "ui/views/flow_view.h"
#include "ui/views/head_figure.h"
#include "ui/views/head_view.h"
#include "ui/views/heads_view.h"
#include "ui/views/lab_view.h"
#include "ui/views/lens_view.h"
#include "ui/views/lesson_author_view.h"
#include "ui/views/lessons_view.h"
#include "ui/views/mask_figure.h"
#include "ui/views/mask_view.h"
#include "ui/views/next_token_table.h"
#include "ui/views/next_token_view.h"
#include "ui/views/origin_view.h"
#include "ui/views/overview_figure.h"
#include "ui/views/overview_view.h"
#include "ui/views/positions_figure.h"
#include "ui/views/positions_view.h"
#include "ui/views/qk_view.h"
#include "ui/views/run_form_view.h"
#include "ui/views/runs_view.h"
#include "ui/views/train_view.h"
#include "ui/views/what_if_content.h"
#include "ui/views/what_if_view.h"

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
