#include "ui/pages/flow/flow_options.h"

#include <QJsonArray>
#include <QStringList>

#include <algorithm>

namespace headscope::ui {

namespace {

const QStringList kModes = {"rollout",    "attention", "contribution",
                            "value-norm", "gradient",  "integrated"};
const QStringList kMeasures = {"length", "distance"};

} // namespace

FlowOptions FlowOptions::fromJson(const QJsonObject& json)
{
    FlowOptions options;
    const auto mode = kModes.indexOf(json["mode"].toString());
    if (mode >= 0)
        options.mode = static_cast<FlowMode>(mode);
    if (json["measure"].toString() == kMeasures[1])
        options.measure = ContributionMeasure::Distance;
    options.threshold = std::clamp(json["threshold"].toDouble(options.threshold), 0.0, 1.0);
    options.renormalise = json["renormalise"].toBool();
    const QJsonArray node = json["pinned"].toArray();
    if (node.size() == 2)
        options.pinned = FlowNode{node[0].toInt(), node[1].toInt()};
    const QJsonArray edge = json["edge"].toArray();
    if (edge.size() == 3 && edge[0].toInt() >= 0)
        options.edge = FlowEdge{edge[0].toInt(), edge[1].toInt(), edge[2].toInt(), 0.0F};
    return options;
}

QJsonObject FlowOptions::toJson() const
{
    QJsonObject json{{"mode", kModes[static_cast<int>(mode)]},
                     {"measure", kMeasures[static_cast<int>(measure)]},
                     {"threshold", threshold},
                     {"renormalise", renormalise}};
    if (pinned)
        json["pinned"] = QJsonArray{pinned->level, pinned->token};
    if (edge)
        json["edge"] = QJsonArray{edge->layer, edge->to, edge->from};
    return json;
}

} // namespace headscope::ui
