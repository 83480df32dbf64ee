#include "ui/widgets/arcs_benchmark.h"

#include "ui/widgets/arcs_paint.h"
#include "ui/widgets/arcs_raster.h"

#include <QElapsedTimer>
#include <QPainter>

#include <cmath>
#include <limits>
#include <random>

namespace headscope::ui {
namespace {

/// Softmax of normal scores, so that rows are peaky to different degrees.
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

template<class Work>
double fastest(int rounds, Work work)
{
    double best = std::numeric_limits<double>::infinity();
    for (int round = 0; round < rounds; ++round) {
        QElapsedTimer timer;
        timer.start();
        work(round);
        best = std::min(best, static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    return rounds > 0 ? best : 0.0;
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
    const Theme theme = Theme::named(false, bodyFont());
    ArcsContent content = benchmarkArcs(tokens, heads);
    const ArcsLayout layout(QRectF(0, 0, 900, 1000), content, theme);
    QImage page(900, 1000, QImage::Format_RGB32);
    QImage rest;
    ArcsTimes times;
    times.links = content.counts.shown;
    times.rest = fastest(rounds, [&](int) {
        page.fill(theme.surface);
        rest = restImage(content, layout, theme, 1.0);
        QPainter painter(&page);
        paintArcs(painter, layout, content, theme, rest);
    });
    const QImage behind = dimmed(rest, theme.surface);
    times.hover = fastest(rounds, [&](int round) {
        content.hovered = ArcEnd{ArcSide::Query, tokens - 1 - round % tokens};
        page.fill(theme.surface);
        QPainter painter(&page);
        paintArcs(painter, layout, content, theme,
                  curvesImage(rest, behind, layout, content, theme));
    });
    content.hovered.reset();
    times.naive = fastest(withNaive ? 1 : 0, [&](int) {
        page.fill(theme.surface);
        paintNaive(page, content, layout, theme);
    });
    return times;
}

} // namespace headscope::ui
