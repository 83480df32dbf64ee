#include "ui/pages/shared/maps/map_kind.h"

#include "ui/widgets/tr.h"

#include <array>

namespace headscope::ui {

namespace {

struct Known
{
    MapKind kind;
    const char* name;    ///< Key in options.
    const char* title;   ///< Title, to be translated.
    const char* meaning; ///< Description, to be translated.
};

constexpr std::array<Known, 9> kKnown{{
    {MapKind::Weights, "weights", QT_TR_NOOP("Attention weights"),
     QT_TR_NOOP("After softmax: each row sums to 1, with its sink where the head has one")},
    {MapKind::Scores, "scores", QT_TR_NOOP("Scores"), QT_TR_NOOP("Before softmax and mask")},
    {MapKind::ValueWeighted, "value-weighted", QT_TR_NOOP("Value-weighted"),
     QT_TR_NOOP("Weight times the length of the value vector")},
    {MapKind::ValueNorm, "value-norm", QT_TR_NOOP("Value-weighted norm"),
     QT_TR_NOOP("Length of the vector that each key adds, W_O included; rows "
                "sum to 1")},
    {MapKind::ValueAware, "value-aware", QT_TR_NOOP("Contribution to the stream"),
     QT_TR_NOOP("How much each key moves the stream towards its new value "
                "(l1); rows sum to 1")},
    {MapKind::GradientAttention, "gradient", QT_TR_NOOP("Gradient \u00D7 attention"),
     QT_TR_NOOP("Weight times its gradient with respect to the logit of the "
                "top-1 next token")},
    {MapKind::IntegratedAttention, "integrated", QT_TR_NOOP("Integrated gradients"),
     QT_TR_NOOP("Effect of the layer's attention on the logit of the top-1 "
                "next token, integrated from none to all of it")},
    {MapKind::Rollout, "rollout", QT_TR_NOOP("Rollout"),
     QT_TR_NOOP("Weight of each input token after this layer over all heads, "
                "half from the residual stream, if the model has one")},
    {MapKind::Flow, "flow", QT_TR_NOOP("Attention flow"),
     QT_TR_NOOP("Maximum flow from each input token up to this layer, over "
                "all heads")},
}};

const Known& of(MapKind kind)
{
    return kKnown[static_cast<std::size_t>(kind)];
}

} // namespace

bool isAttributed(MapKind kind)
{
    return kind >= MapKind::ValueNorm;
}

bool isSigned(MapKind kind)
{
    return needsGradient(kind);
}

bool isOfWholeLayer(MapKind kind)
{
    return kind == MapKind::Rollout || kind == MapKind::Flow;
}

bool needsGradient(MapKind kind)
{
    return kind == MapKind::GradientAttention || kind == MapKind::IntegratedAttention;
}

QString toJson(MapKind kind)
{
    return QLatin1String(of(kind).name);
}

MapKind mapKindNamed(const QString& name)
{
    for (const Known& known : kKnown)
        if (name == QLatin1String(known.name))
            return known.kind;
    return MapKind::Weights;
}

QString titleOf(MapKind kind)
{
    return tr(of(kind).title);
}

QString meaningOf(MapKind kind)
{
    return tr(of(kind).meaning);
}

std::vector<MapKind> switchableKinds()
{
    std::vector<MapKind> kinds{MapKind::Weights};
    for (const Known& known : kKnown)
        if (isAttributed(known.kind))
            kinds.push_back(known.kind);
    return kinds;
}

} // namespace headscope::ui
