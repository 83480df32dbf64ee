#include "ui/pages/shared/maps/map_kind.h"

#include <QCoreApplication>

#include <array>

namespace headscope::ui {

namespace {

struct Known
{
    MapKind kind;
    const char* name;    ///< in options
    const char* title;   ///< to be translated
    const char* meaning; ///< likewise
};

QString tr(const char* text)
{
    return QCoreApplication::translate("MapKind", text);
}

constexpr std::array<Known, 9> kKnown{{
    {MapKind::Weights, "weights", QT_TRANSLATE_NOOP("MapKind", "Attention weights"),
     QT_TRANSLATE_NOOP("MapKind", "After softmax: each row sums to 1")},
    {MapKind::Scores, "scores", QT_TRANSLATE_NOOP("MapKind", "Scores"),
     QT_TRANSLATE_NOOP("MapKind", "Before softmax and mask")},
    {MapKind::ValueWeighted, "value-weighted", QT_TRANSLATE_NOOP("MapKind", "Value-weighted"),
     QT_TRANSLATE_NOOP("MapKind", "Weight times the length of the value vector")},
    {MapKind::ValueNorm, "value-norm", QT_TRANSLATE_NOOP("MapKind", "Value-weighted norm"),
     QT_TRANSLATE_NOOP("MapKind", "How long the vector is that each key adds, W_O included; rows "
                                  "divided by their sums")},
    {MapKind::ValueAware, "value-aware", QT_TRANSLATE_NOOP("MapKind", "Contribution to the stream"),
     QT_TRANSLATE_NOOP("MapKind", "How much nearer each key brings the stream to what it becomes "
                                  "(l1); rows divided by their sums")},
    {MapKind::GradientAttention, "gradient",
     QT_TRANSLATE_NOOP("MapKind", "Gradient \u00D7 attention"),
     QT_TRANSLATE_NOOP("MapKind", "Weight times how steeply it moves the likeliest next token's "
                                  "logit")},
    {MapKind::IntegratedAttention, "integrated",
     QT_TRANSLATE_NOOP("MapKind", "Integrated gradients"),
     QT_TRANSLATE_NOOP("MapKind", "What the layer's attention does to the likeliest next token's "
                                  "logit, from none to all of it")},
    {MapKind::Rollout, "rollout", QT_TRANSLATE_NOOP("MapKind", "Rollout"),
     QT_TRANSLATE_NOOP("MapKind", "Share of each input token after this layer, all heads together, "
                                  "half of it by the residual stream")},
    {MapKind::Flow, "flow", QT_TRANSLATE_NOOP("MapKind", "Attention flow"),
     QT_TRANSLATE_NOOP("MapKind", "The largest flow from each input token up to this layer, all "
                                  "heads together")},
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
