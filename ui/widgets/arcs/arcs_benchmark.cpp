#include "ui/widgets/arcs/arcs_benchmark.h"

#include "core/base/stopwatch.h"
#include "ui/widgets/arcs/arcs_curves.h"
#include "ui/widgets/arcs/arcs_widget.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <random>

namespace headscope::ui {
namespace {

/// Softmax of normally distributed scores, with rows of varying peakedness.
std::vector<float> causalPattern(int tokens, std::mt19937& random)
{
    std::normal_distribution<float> score(0.0F, 1.5F);
    std::vector<float> values(static_cast<std::size_t>(tokens) * tokens, 0.0F);
    for (int query = 0; query < tokens; ++query) {
        float sum = 0.0F;
        float* row = values.data() + static_cast<std::size_t>(query) * tokens;
        for (int key = 0; key <= query; ++key)
            sum += row[key] = std::exp(score(random));
        for (int key = 0; key <= query; ++key)
            row[key] /= sum;
    }
    return values;
}

void paintNaive(QImage& page, const ArcsContent& content, const ArcsLayout& layout,
                const Theme& theme)
{
    QPainter painter(&page);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const ArcLink& link : content.links) {
        QColor colour = linkColour(content, link, theme);
        colour.setAlphaF(static_cast<float>(restOpacity(link.weight)));
        painter.setPen(QPen(colour, 1.0));
        painter.drawPath(arcPath({layout.left(), layout.y({ArcSide::Query, link.query})},
                                 {layout.right(), layout.y({ArcSide::Key, link.key})}));
    }
}

} // namespace

ArcsContent benchmarkArcs(int tokens, int heads)
{
    std::mt19937 random(7);
    ArcsContent content;
    for (int token = 0; token < tokens; ++token)
        content.queries << QStringLiteral("token%1").arg(token);
    content.keys = content.queries;
    for (int head = 0; head < heads; ++head)
        content.heads.push_back(
            {head, head, HeatmapMatrix::copyOf(causalPattern(tokens, random), tokens, tokens),
             HeatmapMask::causal()});
    keepStrongest(content, 1.0);
    return content;
}

ArcsTimes measureArcs(int tokens, int heads, int rounds, bool withNaive)
{
    const QSize size(900, 1000);
    const ArcsContent content = benchmarkArcs(tokens, heads);
    ArcsWidget widget; // only the viewport changes; scroll bars stay as they are
    widget.resize(size);
    QImage page(size, QImage::Format_RGB32);
    ArcsTimes times;
    times.links = content.counts.shown;
    times.rest = medianMilliseconds(rounds, [&](int) {
        widget.setContent(content);
        widget.viewport()->render(&page);
    });
    const auto hover = [&](int round) {
        widget.setHovered(ArcEnd{ArcSide::Query, tokens - 1 - round % tokens});
        widget.viewport()->render(&page);
    };
    hover(-1); // the first one also prepares the cached images
    times.hover = medianMilliseconds(rounds, hover);
    const Theme theme = Theme::of(widget);
    const ArcsLayout layout(QRectF(QPointF(), QSizeF(size)), content, theme);
    if (withNaive)
        times.naive = medianMilliseconds(1, [&](int) {
            page.fill(theme.surface);
            paintNaive(page, content, layout, theme);
        });
    return times;
}

} // namespace headscope::ui
