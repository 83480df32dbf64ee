#include "ui/window/pages.h"

#include "ui/views/arcs_view.h"
#include "ui/views/head_figure.h"
#include "ui/views/head_view.h"
#include "ui/views/heads_view.h"
#include "ui/views/origin_view.h"
#include "ui/views/overview_figure.h"
#include "ui/views/overview_view.h"
#include "ui/views/positions_figure.h"
#include "ui/views/positions_view.h"
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
        {"overview", tr("Overview"), IconName::Overview, make<OverviewView>,
         [](const Looking& looking, const QJsonObject& options) {
             return gridFigure(looking, options);
         }},
        {"head", tr("Head"), IconName::Head, make<HeadView>, headFigure},
        {"heads", tr("Heads"), IconName::Heads, make<HeadsView>,
         [](const Looking& looking, const QJsonObject& options) {
             return headsFigure(looking, options);
         }},
        {"arcs", tr("Arcs"), IconName::Arcs, make<ArcsView>, arcsFigure},
        {"what-if", tr("What-if"), IconName::WhatIf, make<WhatIfView>, {}},
        {"origin", tr("Origin"), IconName::Origin, make<OriginView>, originFigure},
        {"positions", tr("Positions"), IconName::Positions, make<PositionsView>, positionsFigure},
    };
}

} // namespace headscope::ui
