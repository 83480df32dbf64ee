#include "ui/pages/flow/flow_figure.h"

#include "ui/pages/flow/flow_content.h"
#include "ui/pages/shared/maps/attributed_maps.h"
#include "ui/widgets/flow/flow_paint.h"
#include "ui/widgets/tr.h"

#include <algorithm>

namespace headscope::ui {

namespace {

QString titleOf(const FlowOptions& options)
{
    switch (options.mode) {
    case FlowMode::Rollout:
        return tr("Flow: attention rollout");
    case FlowMode::Attention:
        return tr("Flow: mean attention");
    case FlowMode::ValueNorm:
        return tr("Flow: value-weighted norms");
    case FlowMode::Gradient:
        return tr("Flow: gradient \u00D7 attention");
    case FlowMode::Integrated:
        return tr("Flow: integrated gradients of attention");
    case FlowMode::Contribution:
        break;
    }
    return tr("Flow: contributions");
}

QString attentionText(const FlowOptions& options)
{
    if (options.mode == FlowMode::Rollout || options.mode == FlowMode::Attention)
        return tr("the mean attention of the heads");
    if (options.mode == FlowMode::ValueNorm)
        return tr("the mean value-weighted norm of the heads");
    return tr("the mean over the heads of what raises the logit of the top-1 next token");
}

QString fractionText(const FlowOptions& options, bool hasResidual)
{
    if (!hasResidual && options.mode != FlowMode::Contribution)
        return tr("%1 (the model has no residual connections)").arg(attentionText(options));
    if (options.mode == FlowMode::Rollout)
        return tr("half the mean attention of the heads, half the residual stream "
                  "(attention rollout)");
    if (options.mode == FlowMode::Attention)
        return attentionText(options);
    if (options.mode == FlowMode::ValueNorm)
        return tr("half the mean value-weighted norm of the heads, half the residual stream");
    if (options.mode == FlowMode::Gradient || options.mode == FlowMode::Integrated)
        return tr("half the mean over the heads of what raises the logit of the top-1 next "
                  "token, half the residual stream");
    return options.measure == ContributionMeasure::Length
               ? tr("the length of what a token's value vectors add to the stream, next to the "
                    "residual")
               : tr("how much each source token (or the residual) moves the stream towards its "
                    "new value");
}

QString captionOf(const FlowOptions& options, const FlowContent& content, bool hasResidual)
{
    QString words = tr("Each line shows the fraction of a token's stream after a layer that "
                       "comes from a token before it: %1. Width grows with the fraction, from 0 "
                       "to 1. %2.")
                        .arg(fractionText(options, hasResidual), countText(content));
    if (content.graph.pinned)
        words +=
            QLatin1Char(' ') + tr("Only paths into “%1” (%2) are shown.")
                                   .arg(content.graph.labels.value(content.graph.pinned->token),
                                        levelName(content.graph.pinned->level));
    if (content.graph.isSigned)
        words += QLatin1Char(' ') + tr("Orange: more in B; violet: less.");
    if (const QString sinks = sinkText(content); !sinks.isEmpty())
        words += QLatin1Char(' ') + sinks;
    if (options.renormalise)
        words += QLatin1Char(' ') + tr("Weaker edges are removed and the others renormalised.");
    return words;
}

} // namespace

Figure flowFigure(const ViewSnapshot& view, const FlowOptions& options, const FlowMixings& mixings)
{
    Figure figure = figureOf(view, titleOf(options));
    const FlowContent content = flowContent(view, options, mixings);
    if (content.graph.tokens() == 0)
        return figure;
    const Variant variant = view.shown == Variant::A ? Variant::A : Variant::B;
    const bool hasResidual = rolloutRule(view, variant).residual > 0.0;
    figure.caption = captionOf(options, content, hasResidual);
    const FlowGraphContent graph = content.graph;
    figure.size = [graph](const Theme& theme) {
        const double width = 120.0 * (graph.levels - 1) + 200.0;
        return QSizeF(std::max(width, 480.0) * theme.scale(),
                      FlowLayout::wantedHeight(graph.tokens(), theme));
    };
    figure.paint = [graph, drawn = content.drawn](QPainter& painter, const QRectF& area,
                                                  const Theme& theme, const FigureTarget&) {
        paintFlow(painter, FlowLayout(area, graph, theme), graph, drawn, area, theme);
    };
    for (std::size_t layer = 0; layer < graph.layers.size(); ++layer)
        figure.numbers.push_back({QStringLiteral("layer %1").arg(layer), graph.labels, graph.labels,
                                  graph.layers[layer]});
    return figure;
}

Figure flowFigure(const ViewSnapshot& view, const QJsonObject& json)
{
    const FlowOptions options = FlowOptions::fromJson(json);
    return flowFigure(view, options, flowMixings(view, options));
}

} // namespace headscope::ui
