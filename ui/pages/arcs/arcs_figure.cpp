#include "ui/pages/arcs/arcs_figure.h"

#include "ui/pages/arcs/arcs_content.h"
#include "ui/pages/shared/figures/number_rows.h"
#include "ui/widgets/arcs/arcs_curves.h"
#include "ui/widgets/arcs/arcs_paint.h"
#include "ui/widgets/style/colour_map.h"
#include "ui/widgets/tr.h"

#include <QFontMetricsF>
#include <QPainter>

#include <map>

namespace headscope::ui {
namespace {

constexpr double kWidth = 900.0;
constexpr double kLegend = 40.0;
constexpr double kFooter = 32.0;

QString headNumbers(const ArcsContent& content)
{
    QStringList numbers;
    for (const ArcHead& head : content.heads)
        numbers << QString::number(head.number);
    return numbers.join(QStringLiteral(", "));
}

QString tokenName(const ArcsContent& content, ArcEnd end)
{
    return QStringLiteral("%1 %2").arg(content.label(end)).arg(content.position(end));
}

/// Legend of the arcs' colours: hue, number, hue, number.
void paintHeadLegend(QPainter& painter, QRectF area, const ArcsContent& content, const Theme& theme)
{
    painter.setFont(theme.font(TextRole::Body));
    const QFontMetricsF metrics(painter.font());
    const auto write = [&](const QString& text, const QColor& colour) {
        painter.setPen(colour);
        painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter, text);
        area.setLeft(area.left() + metrics.horizontalAdvance(text) + 12.0);
    };
    write(tr("Heads"), theme.text2);
    for (const ArcHead& head : content.heads) {
        const QRectF square(area.left(), area.center().y() - 5.0, 10.0, 10.0);
        painter.fillRect(square, headHue(head.slot, theme));
        if (head.slot >= 8)
            painter.fillRect(square.adjusted(4, 0, -4, 0), theme.surface);
        area.setLeft(area.left() + 16.0);
        write(QString::number(head.number), theme.text);
    }
    if (!content.isSigned)
        return;
    write(content.isAttribution ? tr("▲ raises the logit") : tr("▲ more in B"), theme.more);
    write(content.isAttribution ? tr("▼ lowers it") : tr("▼ less in B"), theme.less);
}

struct Canvas
{
    QPainter& painter;
    const Theme& theme;
    const FigureTarget& target;
};

/// Draws the arcs; `words` is the summary below the image.
void paintFigureArcs(const Canvas& canvas, const QRectF& area, const ArcsContent& content,
                     const QString& words)
{
    const auto& [painter, theme, target] = canvas;
    const double legend = kLegend * theme.scale();
    const double footer = kFooter * theme.scale();
    paintHeadLegend(painter, QRectF(area.x(), area.y(), area.width(), 24.0 * theme.scale()),
                    content, theme);
    const ArcsLayout layout(area.adjusted(0, legend, 0, -footer), content, theme);
    ArcsImages images;
    if (!target.vectors)
        images = arcsImages(content, layout, theme, target.pixelRatio);
    paintArcs(painter, layout, content, theme, images);
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.text3);
    painter.drawText(QRectF(area.x(), area.bottom() - footer, area.width(), footer),
                     Qt::AlignLeft | Qt::AlignBottom, words);
}

QString captionOf(const ViewSnapshot& view, const ArcsContent& content, double mass,
                  const QString& what)
{
    QString words =
        (content.isAttribution ? tr("%3 of %1, heads %2, from queries (left) to keys (right).")
         : content.isSigned
             ? tr("Change of attention (B−A) of %1, heads %2, from queries (left) to keys (right).")
             : tr("Attention of %1, heads %2, from queries (left) to keys (right)."))
            .arg(layerTitle(view.selection).toLower(), headNumbers(content));
    if (content.isAttribution)
        words = words.arg(what);
    words += QLatin1Char(' ') +
             tr("Each row shows the fewest links that cover %1 of it; %2. Opacity grows with the "
                "weight, from 0.10 at 0 to 0.65 at 1.")
                 .arg(percent(mass), drawnText(content, view));
    if (const auto focus = content.focus())
        words +=
            QLatin1Char(' ') +
            (content.isDifference()
                 ? tr("Thick: links of “%1”; bars: all its changes, scale −1 to +1.")
             : content.isSigned ? tr("Thick: links of “%1”; bars: all its contributions, scale "
                                     "−1 to +1.")
                                : tr("Thick: links of “%1”; bars: all its weights, scale 0 to 1."))
                .arg(content.label(*focus));
    return words;
}

QStringList headColumns(const ArcsContent& content)
{
    QStringList columns;
    for (const ArcHead& head : content.heads)
        columns << tr("head %1").arg(head.number);
    return columns;
}

/// One row per drawn pair: its positions, then each head's weight; 0 where that head's link is not
/// drawn.
NumberTable linkTable(const ArcsContent& content)
{
    std::map<std::pair<int, int>, std::vector<double>> pairs;
    for (const ArcLink& link : content.links) {
        std::vector<double>& row = pairs[{link.query, link.key}];
        row.resize(content.heads.size() + 2, 0.0);
        row[static_cast<std::size_t>(link.head) + 2] = link.weight;
    }
    NumberRows rows;
    for (auto& [pair, row] : pairs) {
        const ArcEnd query{ArcSide::Query, pair.first};
        const ArcEnd key{ArcSide::Key, pair.second};
        row[0] = content.position(query);
        row[1] = content.position(key);
        rows.add(tokenName(content, query) + QStringLiteral(" → ") + tokenName(content, key), row);
    }
    return rows.table(tr("links"), QStringList{tr("query"), tr("key")} + headColumns(content));
}

/// The bars: one row per token, one column per head.
NumberTable barTable(const ArcsContent& content, ArcEnd focus)
{
    const ArcSide side = focus.side == ArcSide::Query ? ArcSide::Key : ArcSide::Query;
    const auto tokens =
        static_cast<int>((side == ArcSide::Query ? content.queries : content.keys).size());
    NumberRows rows;
    for (int token = 0; token < tokens; ++token) {
        std::vector<double> values;
        for (int head = 0; head < static_cast<int>(content.heads.size()); ++head)
            values.push_back(barWeight(content, focus, {side, token}, head));
        rows.add(tokenName(content, {side, token}), values);
    }
    return rows.table(tr("bars"), headColumns(content));
}

} // namespace

Figure arcsFigure(const ViewSnapshot& view, const QJsonObject& options)
{
    const ArcsOptions own = ArcsOptions::fromJson(options);
    const AttributedRuns runs = attributedRuns(view, {own.kind, view.selection.layer});
    const auto content = std::make_shared<const ArcsContent>(arcsContent(view, own, runs));
    if (content->isEmpty())
        return figureOf(view, layerTitle(view.selection));
    Figure figure =
        figureOf(view, tr("%1 · Heads %2").arg(layerTitle(view.selection), headNumbers(*content)));
    figure.caption =
        captionOf(view, *content, own.mass, attributedText(runs, own.kind, view.shown));
    figure.size = [content](const Theme& theme) {
        return QSizeF(kWidth * theme.scale(), ArcsLayout::wantedHeight(*content, theme) +
                                                  (kLegend + kFooter) * theme.scale());
    };
    const QString words = drawnText(*content, viewAt(view, runs, own.kind));
    figure.paint = [content, words](QPainter& painter, const QRectF& area, const Theme& theme,
                                    const FigureTarget& target) {
        paintFigureArcs({painter, theme, target}, area, *content, words);
    };
    figure.numbers.push_back(linkTable(*content));
    if (const auto focus = content->focus())
        figure.numbers.push_back(barTable(*content, *focus));
    return figure;
}

} // namespace headscope::ui
