#include "ui/pages/shared/changes/what_if_content.h"

#include "core/analysis/lens/next_token.h"
#include "ui/pages/shared/figures/number_rows.h"
#include "ui/pages/shared/maps/hidden_tokens.h"
#include "ui/widgets/heatmap/heatmap_paint.h"
#include "ui/widgets/tr.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr int kFigurePredictions = 5;

GridCell activeHead(const ViewSnapshot& view)
{
    return {view.selection.layer, view.selection.head};
}

/// Row and column of the selected pair, on a map that may group tokens.
void markPair(HeatmapContent& map, const ViewSnapshot& view, const ShownPattern& shown,
              const Trace& trace)
{
    const TokenPair pair = resolve(view.selection, trace);
    const int row = shown.rowOf(pair.query);
    const int column = shown.columnOf(pair.key);
    if (row >= 0)
        map.queryRow = row;
    if (row >= 0 && column >= 0)
        map.current = HeatmapCell{row, column};
}

bool isWaiting(const ViewSnapshot& view)
{
    return !view.changes.empty() && !view.b;
}

bool paintsPart(AttentionKind part)
{
    return part == AttentionKind::Self || part == AttentionKind::DecoderSelf;
}

std::vector<Candidate> likelyTokens(const ViewSnapshot& view, int queryA, int queryB, int count)
{
    std::vector<Candidate> tokens = nextTokens(*view.a, queryA, count, nullptr);
    if (!view.b)
        return tokens;
    for (const Candidate& next : nextTokens(*view.b, queryB, count, nullptr)) {
        const auto known =
            std::find_if(tokens.begin(), tokens.end(),
                         [&next](const Candidate& other) { return other.id == next.id; });
        if (known == tokens.end())
            tokens.push_back(next);
        else
            known->probability = std::max(known->probability, next.probability);
    }
    std::stable_sort(tokens.begin(), tokens.end(), [](const Candidate& x, const Candidate& y) {
        return x.probability > y.probability;
    });
    tokens.resize(std::min(tokens.size(), static_cast<std::size_t>(count)));
    return tokens;
}

/// Token after which each variant predicts: the selected query, or the last one.
int predictingToken(const ViewSnapshot& view, const Trace& trace)
{
    const int last = static_cast<int>(trace.tokens().size()) - 1;
    if (view.selection.part == AttentionKind::EncoderSelf)
        return last;
    return std::min(std::max(resolve(view.selection, trace).query, 0), last);
}

/// The panes are narrow: the note on hidden tokens replaces "fixed scale".
QString legendTitle(const ViewSnapshot& view, const ColourScale& scale)
{
    const bool difference = scale.isSigned();
    if (hiddenTokenText(view).isEmpty())
        return scaleTitle(difference ? tr("B\u2212A: difference") : tr("Attention weight"), scale,
                          false);
    const TokenDisplay& display = view.display;
    const QString hidden = display.hideFirst && display.hideSpecial ? tr("special and first hidden")
                           : display.hideFirst                      ? tr("first token hidden")
                           : display.hideSpecial                    ? tr("special hidden")
                                                                    : tr("template hidden");
    return (difference ? tr("B\u2212A, %1, \u22121 to +1") : tr("Weight, %1, 0 to 1")).arg(hidden);
}

} // namespace

std::shared_ptr<const std::vector<std::uint8_t>> paintedCells(const MaskChange& mask,
                                                              const ShownPattern& shown)
{
    if (mask.kind != MaskChange::Kind::Painted)
        return nullptr;
    const bool causal = mask.isOnCausal();
    const auto isBlocked = [&](int query, int key) {
        const bool known = query < mask.side && key < mask.side;
        return known && (key <= query || !causal) &&
               mask.cells[static_cast<std::size_t>(query * mask.side + key)] == 0;
    };
    auto cells = std::make_shared<std::vector<std::uint8_t>>();
    for (const std::vector<int>& row : shown.rowTokens) {
        for (const std::vector<int>& column : shown.columnTokens) {
            const bool all = std::all_of(row.begin(), row.end(), [&](int query) {
                return std::all_of(column.begin(), column.end(),
                                   [&](int key) { return isBlocked(query, key); });
            });
            cells->push_back(all ? 1 : 0);
        }
    }
    return cells;
}

MapWithLegend whatIfMap(const ViewSnapshot& view, Variant variant)
{
    MapWithLegend result;
    const bool difference = variant == Variant::Difference;
    result.map.scale =
        difference ? ColourScale::difference() : ColourScale{view.colourMap, 0.0F, 1.0F, 1.0};
    result.legend.scale = result.map.scale;
    result.legend.title = legendTitle(view, result.map.scale);
    if (!view.a || (variant != Variant::A && isWaiting(view)) || (difference && !view.b))
        return result;
    const Variant drawn = view.b ? variant : Variant::A;
    const ShownPattern shown = shownPattern(view, drawn, activeHead(view));
    result.map.matrix = shown.matrix;
    result.map.sink = shown.sink;
    result.map.mask = shown.mask;
    result.map.emptyRows = shown.faintRows;
    if (!shown.faintRows.empty())
        result.legend.swatch = orFaint(QString());
    result.map.rowLabels = shown.rowLabels;
    result.map.columnLabels = shown.columnLabels;
    result.map.stale = view.stale;
    if (difference)
        result.map.valueName = tr("difference");
    markPair(result.map, view, shown, *view.trace(drawn));
    if (variant == Variant::B && paintsPart(view.selection.part))
        result.map.painted = paintedCells(view.changes.mask, shown);
    if (variant == Variant::B && view.changes.mask.kind == MaskChange::Kind::Painted) {
        result.legend.swatch = tr("blocked by hand, in all layers and heads");
        result.legend.painted = true;
    }
    return result;
}

std::vector<Bar> comparedPredictions(const ViewSnapshot& view, int count)
{
    std::vector<Bar> bars;
    if (!view.a)
        return bars;
    const int queryA = predictingToken(view, *view.a);
    const int queryB = view.b ? predictingToken(view, *view.b) : queryA;
    for (const Candidate& next : likelyTokens(view, queryA, queryB, count)) {
        Bar bar;
        bar.label = labelOf(next.id, view.modelA);
        bar.value = view.b ? probabilityOf(*view.b, queryB, next.id) : next.probability;
        if (view.b)
            bar.before = probabilityOf(*view.a, queryA, next.id);
        bar.role = Role::Accent;
        bar.subject = bars.empty();
        bars.push_back(std::move(bar));
    }
    return bars;
}

MaybeNumber predictionNumber(const ViewSnapshot& view, Variant variant, int bar, int count)
{
    if (!view.a || bar < 0)
        return std::nullopt;
    const int queryA = predictingToken(view, *view.a);
    const int queryB = view.b ? predictingToken(view, *view.b) : queryA;
    const std::vector<Candidate> tokens = likelyTokens(view, queryA, queryB, count);
    if (bar >= static_cast<int>(tokens.size()))
        return std::nullopt;
    const TokenId id = tokens[static_cast<std::size_t>(bar)].id;
    return ShownNumber{probabilityNumber(variant == Variant::A ? queryA : queryB, id), variant};
}

HeatmapContent movedContent(const ViewSnapshot& view, const ChangeEffect& effect)
{
    HeatmapContent map;
    map.scale.map = view.colourMap;
    map.valueName = tr("weight moved");
    if (effect.moved.isEmpty())
        return map;
    map.matrix = effect.moved;
    const float* begin = effect.moved.values.get();
    const float largest =
        *std::max_element(begin, begin + effect.moved.rows * effect.moved.columns);
    map.scale.high = std::max(std::ceil(largest * 10.0F) / 10.0F, 0.1F);
    for (int head = 0; head < effect.moved.rows; ++head)
        map.rowLabels << QString::number(head);
    for (int layer = 0; layer < effect.moved.columns; ++layer)
        map.columnLabels << QString::number(layer);
    const HeatmapCell current{view.selection.head, view.selection.layer};
    if (map.matrix.contains(current))
        map.current = current;
    return map;
}

QString changesNote(const Changes& changes)
{
    const std::vector<ChangeText> words = changes.texts();
    const auto count = std::count_if(words.begin(), words.end(),
                                     [](const ChangeText& each) { return !each.aside; });
    if (count == 0)
        return tr("as trained");
    return count == 1 ? changes.describe()
                      : tr("with %1 changes").arg(static_cast<qlonglong>(count));
}

// ----------------------------------------------------------------------------------------- figure

namespace {

constexpr double kPane = 400.0;
constexpr double kPaneGap = 32.0;
constexpr double kTitle = 32.0;
constexpr double kLegend = 56.0;

struct FigurePane
{
    QString title;
    MapWithLegend shown;
};

std::vector<FigurePane> figurePanes(const ViewSnapshot& view)
{
    std::vector<FigurePane> panes{{tr("A, as trained"), whatIfMap(view, Variant::A)}};
    if (!view.b)
        return panes;
    panes.push_back({tr("B, %1").arg(changesNote(view.changes)), whatIfMap(view, Variant::B)});
    if (view.isComparable())
        panes.push_back({tr("B \u2212 A"), whatIfMap(view, Variant::Difference)});
    return panes;
}

void paintPane(QPainter& painter, const FigurePane& pane, const QRectF& area, const Theme& theme,
               const FigureTarget& target)
{
    const double scale = theme.scale();
    painter.setFont(theme.font(TextRole::Heading));
    painter.setPen(theme.text);
    painter.drawText(
        QRectF(area.x(), area.y(), area.width(), kTitle * scale), Qt::AlignLeft | Qt::AlignTop,
        QFontMetricsF(painter.font()).elidedText(pane.title, Qt::ElideRight, area.width()));
    HeatmapOptions options;
    options.corner = false;
    options.keyNumber = true;
    options.cellsAsShapes = target.vectors;
    const QRectF cells = area.adjusted(0, kTitle * scale, 0, -kLegend * scale);
    const HeatmapLayout layout(cells, pane.shown.map, options, theme, target.pixelRatio);
    paintHeatmap(painter, layout, heatmapImage(pane.shown.map, theme, layout.imageSize()),
                 pane.shown.map, options, theme);
    paintColourBar(painter,
                   QRectF(layout.cells().left(), area.bottom() - kLegend * scale + 8,
                          area.right() - layout.cells().left(), kLegend * scale - 8),
                   pane.shown.legend, theme);
}

NumberTable predictionTable(const std::vector<Bar>& bars)
{
    const bool compared = !bars.empty() && bars.front().before.has_value();
    NumberRows rows;
    for (const Bar& bar : bars) {
        if (compared)
            rows.add(bar.label, {*bar.before, bar.value, bar.value - *bar.before});
        else
            rows.add(bar.label, {bar.before.value_or(bar.value)});
    }
    return rows.table("next_token", compared ? QStringList{"A", "B", "B-A"} : QStringList{"A"});
}

std::vector<NumberTable> numbersOf(const std::vector<FigurePane>& panes,
                                   const std::vector<Bar>& bars)
{
    const QString names[] = {QStringLiteral("pattern_a"), QStringLiteral("pattern_b"),
                             QStringLiteral("difference")};
    std::vector<NumberTable> tables;
    for (std::size_t pane = 0; pane < panes.size(); ++pane)
        tables.push_back(numbersOf(names[pane], panes[pane].shown.map));
    if (!bars.empty())
        tables.push_back(predictionTable(bars));
    return tables;
}

} // namespace

Figure whatIfFigure(const ViewSnapshot& view, const QJsonObject&)
{
    ViewSnapshot whole = view; // The figure shows all three, whichever the window shows
    whole.shown = view.b ? Variant::Difference : Variant::A;
    Figure figure = figureOf(whole, headTitle(view.selection));
    const std::vector<FigurePane> panes = figurePanes(view);
    const std::vector<Bar> bars = comparedPredictions(view, kFigurePredictions);
    figure.caption =
        tr("Attention of one head as trained (A) and with changes (B: %1), weights on a fixed "
           "scale 0 to 1, their difference on \u22121 to +1; below, the most likely next tokens "
           "of A (upper bar) and B (lower bar).")
            .arg(view.changes.empty() ? tr("none") : view.changes.describe());
    const ShownPattern a = shownPattern(view, Variant::A, activeHead(view));
    if (a.hidesTokens)
        figure.caption += QLatin1Char(' ') +
                          renormalisedText(view, a.hiddenMass, a.faintRows.size()) +
                          QLatin1Char(' ') + tr("(Weights and rows of A.)");
    if (!panes.front().shown.map.sink.empty())
        figure.caption += QLatin1Char(' ') +
                          tr("The column on the right of a map is the attention sink; in A and B a "
                             "row and its sink sum to 1.");
    figure.size = [panes, bars](const Theme& theme) {
        const double scale = theme.scale();
        const auto count = static_cast<double>(panes.size());
        return QSizeF((count * kPane + (count - 1.0) * kPaneGap) * scale,
                      (kPane + kTitle + kLegend + 24.0) * scale + barsHeight(bars, theme));
    };
    figure.paint = [panes, bars](QPainter& painter, const QRectF& area, const Theme& theme,
                                 const FigureTarget& target) {
        const double scale = theme.scale();
        const auto count = static_cast<double>(panes.size());
        const double wide = (area.width() - (count - 1.0) * kPaneGap * scale) / count;
        const double below = barsHeight(bars, theme);
        const double high = area.height() - below - 24.0 * scale;
        for (std::size_t pane = 0; pane < panes.size(); ++pane) {
            const double x = area.x() + static_cast<double>(pane) * (wide + kPaneGap * scale);
            paintPane(painter, panes[pane], {x, area.y(), wide, high}, theme, target);
        }
        BarsOptions options;
        options.largest = 1.0;
        paintBars(painter, {area.x(), area.bottom() - below, area.width(), below}, bars, options,
                  theme);
    };
    figure.numbers = numbersOf(panes, bars);
    return figure;
}

} // namespace headscope::ui
