#include "ui/window/pages.h"

#include "ui/views/architecture_figure.h"
#include "ui/views/architecture_view.h"
#include "ui/views/arcs_view.h"
#include "ui/views/cross_view.h"
#include "ui/views/distance_view.h"
#include "ui/views/flow_view.h"
#include "ui/views/origin_view.h"
#include "ui/views/overview_view.h"
#include "ui/views/positions_figure.h"
#include "ui/views/positions_view.h"
#include "ui/views/qk_view.h"
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
    return {
        {"overview", tr("Overview"), IconName::Overview, make<OverviewView>, {}},
        {"arcs", tr("Arcs"), IconName::Arcs, make<ArcsView>, arcsFigure},
        {"qk", tr("Query \u00B7 Key"), IconName::QueryKey, make<QkView>, qkFigure},
        {"distance", tr("Distance"), IconName::Distance, make<DistanceView>, distanceFigure},
        {"cross", tr("Cross"), IconName::Cross, make<CrossView>,
         [](const Looking& looking, const QJsonObject& options) {
             return crossFigure(looking, options);
         }},
        {"flow", tr("Flow"), IconName::Flow, make<FlowView>,
         [](const Looking& looking, const QJsonObject& options) {
             return flowFigure(looking, options);
         }},
        {"what-if", tr("What-if"), IconName::WhatIf, make<WhatIfView>, {}},
        {"origin", tr("Origin"), IconName::Origin, make<OriginView>, originFigure},
        {"positions", tr("Positions"), IconName::Positions, make<PositionsView>, positionsFigure},
        {"architecture", tr("Architecture"), IconName::Architecture, make<ArchitectureView>,
         architectureFigure},
    };
}

} // namespace headscope::ui
