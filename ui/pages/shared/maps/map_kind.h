#pragma once

#include <QString>

#include <vector>

namespace headscope::ui {

/// Quantity of a map's cells, arcs or edges. From ValueNorm on they are attributions: they depend
/// on more than one head's queries, keys and values, and use attention's own scale.
enum class MapKind {
    Weights,
    Scores,
    ValueWeighted,
    ValueNorm,           ///< Length of the added vector; rows sum to 1.
    ValueAware,          ///< Contributions to the stream by the l1 rule; rows sum to 1.
    GradientAttention,   ///< Weight times the gradient of the top-1 next token's logit; signed.
    IntegratedAttention, ///< Same, integrated from no attention to the actual one; signed.
    Rollout,             ///< Attention rollout up to the layer, over all heads.
    Flow,                ///< Maximum attention flow up to the layer, over all heads.
};

bool isAttributed(MapKind kind);
bool isSigned(MapKind kind);       ///< True for kinds with negative values.
bool isOfWholeLayer(MapKind kind); ///< True for kinds that are the same for all heads.
bool needsGradient(MapKind kind);

QString toJson(MapKind kind);
MapKind mapKindNamed(const QString& name); ///< Weights for an unknown name.

QString titleOf(MapKind kind);   ///< Title of a choice, such as "Gradient \u00D7 attention".
QString meaningOf(MapKind kind); ///< Description in one sentence.

/// Kinds that can replace attention: Weights and all attributions.
std::vector<MapKind> switchableKinds();

} // namespace headscope::ui
