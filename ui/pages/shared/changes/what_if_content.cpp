#include "ui/pages/shared/changes/what_if_content.h"

#include "core/analysis/lens/next_token.h"
#include "ui/pages/shared/maps/hidden_tokens.h"
#include "ui/widgets/heatmap/heatmap_paint.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr int kFigurePredictions = 5;

QString tr(const char* text)
{
    return QCoreApplication::translate("WhatIf", text);
}

GridCell activeHead(const Looking& looking)
{
    return {looking.selection.layer, looking.selection.head};
}

/// Row and column of the selected pair, on a map that may group tokens.
void markPair(HeatmapContent& map, const Looking& looking, const ShownPattern& shown,
              const Trace& trace)
{
    const TokenPair pair = resolve(looking.selection, trace);
    const int row = shown.rowOf(pair.query);
    const int column = shown.columnOf(pair.key);
    if (row >= 0)
        map.queryRow = row;
    if (row >= 0 && column >= 0)
        map.current = HeatmapCell{row, column};
}

bool isWaiting(const Looking& looking)
{
    return !looking.changes.empty() && !looking.b;
}

bool paintsPart(AttentionKind part)
{
    return part == AttentionKind::Self || part == AttentionKind::DecoderSelf;
}

std::vector<Candidate> likelyTokens(const Looking& looking, int queryA, int queryB, int count)
{
    std::vector<Candidate> tokens = nextTokens(*looking.a, queryA, count, nullptr);
    if (!looking.b)
        return tokens;
    for (const Candidate& next : nextTokens(*looking.b, queryB, count, nullptr)) {
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
int predictingToken(const Looking& looking, const Trace& trace)
{
    const int last = static_cast<int>(trace.tokens().size()) - 1;
    if (looking.selection.part == AttentionKind::EncoderSelf)
        return last;
    return std::min(std::max(resolve(looking.selection, trace).query, 0), last);
}

/// The panes are narrow: the note on hidden tokens replaces "fixed scale".
QString legendTitle(const Looking& looking, const ColourScale& scale)
{
    const bool difference = scale.isSigned();
    if (hiddenTokenWords(looking).isEmpty())
        return scaleTitle(difference ? tr("B\u2212A: difference") : tr("Attention weight"), scale,
                          false);
    const QString hidden = !looking.display.hideFirst     ? tr("special hidden")
                           : !looking.display.hideSpecial ? tr("first token hidden")
                                                          : tr("special and first hidden");
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

MapWithLegend whatIfMap(const Looking& looking, Variant variant)
{
    MapWithLegend result;
    const bool difference = variant == Variant::Difference;
    result.map.scale =
        difference ? ColourScale::difference() : ColourScale{looking.colourMap, 0.0F, 1.0F, 1.0};
    result.legend.scale = result.map.scale;
    result.legend.title = legendTitle(looking, result.map.scale);
    if (!looking.a || (variant != Variant::A && isWaiting(looking)) || (difference && !looking.b))
        return result;
    const Variant drawn = looking.b ? variant : Variant::A;
    const ShownPattern shown = shownPattern(looking, drawn, activeHead(looking));
    result.map.matrix = shown.matrix;
    result.map.mask = shown.mask;
    result.map.emptyRows = shown.faintRows;
    if (!shown.faintRows.empty())
        result.legend.swatch = orFaint(QString());
    result.map.rowLabels = shown.rowLabels;
    result.map.columnLabels = shown.columnLabels;
    result.map.stale = looking.stale;
    if (difference)
        result.map.valueName = tr("difference");
    markPair(result.map, looking, shown, *looking.trace(drawn));
    if (variant == Variant::B && paintsPart(looking.selection.part))
        result.map.painted = paintedCells(looking.changes.mask, shown);
    if (variant == Variant::B && looking.changes.mask.kind == MaskChange::Kind::Painted) {
        result.legend.swatch = tr("blocked by hand, in all layers and heads");
        result.legend.painted = true;
    }
    return result;
}

std::vector<Bar> comparedPredictions(const Looking& looking, int count)
{
    std::vector<Bar> bars;
    if (!looking.a)
        return bars;
    const int queryA = predictingToken(looking, *looking.a);
    const int queryB = looking.b ? predictingToken(looking, *looking.b) : queryA;
    for (const Candidate& next : likelyTokens(looking, queryA, queryB, count)) {
        Bar bar;
        bar.label = labelOf(next.id, looking.modelA);
        bar.value = looking.b ? probabilityOf(*looking.b, queryB, next.id) : next.probability;
        if (looking.b)
            bar.before = probabilityOf(*looking.a, queryA, next.id);
        bar.role = Role::Accent;
        bar.subject = bars.empty();
        bars.push_back(std::move(bar));
    }
    return bars;
}

MaybeNumber predictionNumber(const Looking& looking, Variant variant, int bar, int count)
{
    if (!looking.a || bar < 0)
        return std::nullopt;
    const int queryA = predictingToken(looking, *looking.a);
    const int queryB = looking.b ? predictingToken(looking, *looking.b) : queryA;
    const std::vector<Candidate> tokens = likelyTokens(looking, queryA, queryB, count);
    if (bar >= static_cast<int>(tokens.size()))
        return std::nullopt;
    const TokenId id = tokens[static_cast<std::size_t>(bar)].id;
    return ShownNumber{probabilityNumber(variant == Variant::A ? queryA : queryB, id), variant};
}

HeatmapContent movedContent(const Looking& looking, const ChangeEffect& effect)
{
    HeatmapContent map;
    map.scale.map = looking.colourMap;
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
    const HeatmapCell current{looking.selection.head, looking.selection.layer};
    if (map.matrix.contains(current))
        map.current = current;
    return map;
}

QString changesNote(const Changes& changes)
{
    const std::vector<ChangeWords> words = changes.words();
    const auto count = std::count_if(words.begin(), words.end(),
                                     [](const ChangeWords& each) { return !each.aside; });
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

std::vector<FigurePane> figurePanes(const Looking& looking)
{
    std::vector<FigurePane> panes{{tr("A, as trained"), whatIfMap(looking, Variant::A)}};
    if (!looking.b)
        return panes;
    panes.push_back(
        {tr("B, %1").arg(changesNote(looking.changes)), whatIfMap(looking, Variant::B)});
    if (looking.isComparable())
        panes.push_back({tr("B \u2212 A"), whatIfMap(looking, Variant::Difference)});
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

NumberTable tableOf(const QString& name, const HeatmapContent& map)
{
    return {name, map.rowLabels, map.columnLabels, map.matrix};
}

NumberTable predictionTable(const std::vector<Bar>& bars)
{
    NumberTable table{QStringLiteral("next_token"), {}, {QStringLiteral("A")}, {}};
    const bool compared = !bars.empty() && bars.front().before.has_value();
    if (compared)
        table.columns << QStringLiteral("B") << QStringLiteral("B-A");
    std::vector<float> values;
    for (const Bar& bar : bars) {
        table.rows << bar.label;
        values.push_back(static_cast<float>(bar.before.value_or(bar.value)));
        if (compared) {
            values.push_back(static_cast<float>(bar.value));
            values.push_back(static_cast<float>(bar.value - *bar.before));
        }
    }
    const auto rows = static_cast<int>(bars.size());
    table.values =
        HeatmapMatrix::copyOf(std::move(values), rows, static_cast<int>(table.columns.size()));
    return table;
}

std::vector<NumberTable> numbersOf(const std::vector<FigurePane>& panes,
                                   const std::vector<Bar>& bars)
{
    const QString names[] = {QStringLiteral("pattern_a"), QStringLiteral("pattern_b"),
                             QStringLiteral("difference")};
    std::vector<NumberTable> tables;
    for (std::size_t pane = 0; pane < panes.size(); ++pane)
        tables.push_back(tableOf(names[pane], panes[pane].shown.map));
    if (!bars.empty())
        tables.push_back(predictionTable(bars));
    return tables;
}

} // namespace

Figure whatIfFigure(const Looking& looking, const QJsonObject&)
{
    Looking whole = looking; // The figure shows all three, whichever the window shows
    whole.shown = looking.b ? Variant::Difference : Variant::A;
    Figure figure = figureOf(whole, headTitle(looking.selection));
    const std::vector<FigurePane> panes = figurePanes(looking);
    const std::vector<Bar> bars = comparedPredictions(looking, kFigurePredictions);
    figure.caption =
        tr("Attention of one head as trained (A) and with changes (B: %1), weights on a fixed "
           "scale 0 to 1, their difference on \u22121 to +1; below, the most likely next tokens "
           "of A (upper bar) and B (lower bar).")
            .arg(looking.changes.empty() ? tr("none") : looking.changes.describe());
    const ShownPattern a = shownPattern(looking, Variant::A, activeHead(looking));
    if (a.renormalised)
        figure.caption += QLatin1Char(' ') +
                          renormalisedWords(looking, a.hiddenMass, a.faintRows.size()) +
                          QLatin1Char(' ') + tr("(Weights and rows of A.)");
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
