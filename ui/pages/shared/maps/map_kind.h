#pragma once

#include <QString>

#include <optional>
#include <vector>

namespace headscope::ui {

/// What the cells of a map, the curves or the edges stand for. From ValueNorm on they are
/// attributions: made from more than one head's queries, keys and values, on attention's own scale.
enum class MapKind {
    Weights,
    Scores,
    ValueWeighted,
    ValueNorm,           ///< length of what is moved, rows divided by their sums
    ValueAware,          ///< contributions to the stream by the l1 rule, likewise
    GradientAttention,   ///< weight times the gradient of the likeliest next token's logit; signed
    IntegratedAttention, ///< the same, integrated from no attention to what there is; signed
    Rollout,             ///< up to the layer, all heads together
    Flow,                ///< the largest flow up to the layer, all heads together
};

bool isAttributed(MapKind kind);
bool isSigned(MapKind kind);       ///< has values below 0
bool isOfWholeLayer(MapKind kind); ///< the same for all heads
bool needsGradient(MapKind kind);

QString toJson(MapKind kind);
MapKind mapKindNamed(const QString& name); ///< unknown ones are Weights

QString titleOf(MapKind kind);   ///< "Gradient \u00D7 attention": of a choice
QString meaningOf(MapKind kind); ///< one sentence

/// Those that can stand in the place of attention: Weights and all attributions.
std::vector<MapKind> switchableKinds();

} // namespace headscope::ui
