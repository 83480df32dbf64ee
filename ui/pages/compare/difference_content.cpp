#include "ui/pages/compare/difference_content.h"

#include "core/base/content_language.h"
#include "ui/pages/shared/figures/number_rows.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/tr.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr int kDecimals = 4;
constexpr std::size_t kListed = 16; ///< Bars of each kind in a figure.

QString translated(const std::string& sentence)
{
    return QString::fromStdString(message(sentence));
}

QString topText(const ViewSnapshot& view, const PredictionDivergence& prediction)
{
    const auto text = [](TokenId id, double probability, const LoadedModel& model) {
        return QStringLiteral("%1 %2").arg(labelOf(id, model), number(probability, 2));
    };
    return QStringLiteral("%1 \u2192 %2")
        .arg(text(prediction.topA, prediction.probabilityA, view.modelA),
             text(prediction.topB, prediction.probabilityB, view.modelB));
}

} // namespace

// ----------------------------------------------------------------------------------------- tables

std::vector<ScoreColumn> headDifferenceColumns()
{
    return {{tr("JS"),
             tr("Jensen-Shannon divergence of the patterns of A and B, mean over the queries, in "
                "bits: 0 equal, 1 disjoint. The weight of an attention sink counts as one more "
                "key."),
             kDecimals, 1.0},
            {tr("largest"), tr("Largest divergence of one query's row, in bits"), kDecimals}};
}

std::vector<ScoreColumn> tokenDifferenceColumns()
{
    return {{tr("KL"),
             tr("Kullback-Leibler divergence KL(A || B) of the next-token predictions after this "
                "token, in bits: 0 equal"),
             kDecimals, 1.0}};
}

std::vector<ScoreColumn> matrixDifferenceColumns()
{
    return {
        {tr("relative"), tr("Frobenius norm of B \u2212 A divided by that of A"), kDecimals, 1.0},
        {tr("norm"), tr("Frobenius norm of B \u2212 A"), 3}};
}

std::vector<ScoreRow> headDifferenceRows(const TraceDifference& difference)
{
    std::vector<ScoreRow> rows;
    for (const HeadDifference& one : difference.heads)
        rows.push_back({headName(one.head), {}, {}, {one.divergence, one.largest}});
    return rows;
}

std::vector<ScoreRow> tokenDifferenceRows(const TraceDifference& difference,
                                          const ViewSnapshot& view)
{
    std::vector<ScoreRow> rows;
    for (const TokenDifference& one : difference.tokens)
        rows.push_back({labelOf(one.id, view.modelA),
                        QString::number(one.position),
                        topText(view, one.prediction),
                        {one.prediction.bits}});
    return rows;
}

std::vector<ScoreRow> matrixDifferenceRows(const WeightDifference& difference)
{
    std::vector<ScoreRow> rows;
    for (const MatrixDifference& one : difference.matrices)
        rows.push_back({QString::fromStdString(one.name), {}, {}, {one.relative, one.difference}});
    return rows;
}

QString headDifferenceNote(const TraceDifference& difference)
{
    if (difference.heads.empty())
        return translated(difference.headsMissing);
    const QString measured = tr("Jensen-Shannon divergence of patterns, bits");
    return difference.unmatchedHeads == 0
               ? measured
               : tr("%1; %2 heads have no counterpart")
                     .arg(measured, QString::number(difference.unmatchedHeads));
}

QString tokenDifferenceNote(const TraceDifference& difference)
{
    if (difference.tokens.empty())
        return translated(difference.tokensMissing);
    return tr("KL(A || B) after each token, mean %1 bits; top-1 token of A \u2192 of B")
        .arg(number(difference.meanBits(), kDecimals));
}

QString matrixDifferenceNote(const WeightDifference& difference)
{
    const QString measured = tr("norm of B \u2212 A relative to A");
    return difference.unmatched == 0 ? measured
                                     : tr("%1; %2 matrices have no counterpart of the same size")
                                           .arg(measured, QString::number(difference.unmatched));
}

// ----------------------------------------------------------------------------------------- figure

namespace {

constexpr double kGap = 32.0;
constexpr double kTitle = 28.0;
constexpr double kColumn = 300.0;

/// One list of bars with its title.
struct BarList
{
    QString title;
    std::vector<Bar> bars;
};

BarList barsOf(const QString& title, const std::vector<ScoreRow>& rows)
{
    std::vector<const ScoreRow*> sorted;
    for (const ScoreRow& row : rows)
        if (std::isfinite(row.values.front()))
            sorted.push_back(&row);
    std::ranges::stable_sort(sorted, [](const ScoreRow* one, const ScoreRow* other) {
        return one->values.front() > other->values.front();
    });
    BarList list{title, {}};
    for (std::size_t i = 0; i < std::min(sorted.size(), kListed); ++i) {
        Bar bar;
        bar.label = sorted[i]->name;
        bar.value = sorted[i]->values.front();
        if (!sorted[i]->note.isEmpty())
            bar.position = sorted[i]->note.toInt();
        list.bars.push_back(std::move(bar));
    }
    return list;
}

NumberTable tableOf(const QString& name, const std::vector<ScoreRow>& rows,
                    const QStringList& columns)
{
    NumberRows numbers;
    for (const ScoreRow& row : rows)
        numbers.add(row.note.isEmpty() ? row.name : row.note + QLatin1Char(' ') + row.name,
                    row.values);
    return numbers.table(name, columns);
}

/// Probabilities of both top-1 tokens too, which the window writes as words.
NumberTable tokenTable(const TraceDifference& difference, std::vector<ScoreRow> rows)
{
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const PredictionDivergence& prediction = difference.tokens[i].prediction;
        rows[i].values.insert(rows[i].values.end(),
                              {static_cast<double>(prediction.topA), prediction.probabilityA,
                               static_cast<double>(prediction.topB), prediction.probabilityB});
    }
    return tableOf(QStringLiteral("tokens"), rows,
                   {QStringLiteral("kl_bits"), QStringLiteral("top_a"),
                    QStringLiteral("probability_a"), QStringLiteral("top_b"),
                    QStringLiteral("probability_b")});
}

void paintLists(QPainter& painter, const QRectF& area, const std::vector<BarList>& lists,
                const Theme& theme)
{
    const double title = kTitle * theme.scale();
    const double width = kColumn * theme.scale();
    double x = area.x();
    for (const BarList& list : lists) {
        painter.setFont(theme.font(TextRole::Heading));
        painter.setPen(theme.text);
        painter.drawText(QRectF(x, area.y(), width, title), Qt::AlignLeft, list.title);
        BarsOptions options;
        options.decimals = kDecimals;
        paintBars(painter, {x, area.y() + title, width, area.height() - title}, list.bars, options,
                  theme);
        x += width + kGap;
    }
}

} // namespace

Differences differencesOf(const ViewSnapshot& view)
{
    Differences differences;
    const TracePtr& b = view.b ? view.b : view.a;
    if (!view.a)
        return differences;
    differences.traces = traceDifference(*view.a, *b);
    if (view.modelA.model && view.modelB.model && view.modelA.model != view.modelB.model) {
        Progress progress;
        differences.weights = std::make_shared<const WeightDifference>(
            weightDifference(view.modelA.model, view.modelB.model, progress));
    }
    return differences;
}

Figure differenceFigure(const ViewSnapshot& view, const Differences& differences)
{
    Figure figure = figureOf(view, tr("What moved from A to B"));
    figure.caption =
        tr("Heads: Jensen-Shannon divergence of their patterns, mean over the queries, in bits. "
           "Tokens: KL(A || B) of the next-token predictions, in bits. Matrices: Frobenius norm "
           "of B \u2212 A divided by that of A. Bars of one list share a scale.");
    const std::vector<ScoreRow> heads = headDifferenceRows(differences.traces);
    const std::vector<ScoreRow> tokens = tokenDifferenceRows(differences.traces, view);
    std::vector<BarList> lists{barsOf(tr("Heads"), heads), barsOf(tr("Tokens"), tokens)};
    if (differences.weights)
        lists.push_back(barsOf(tr("Matrices"), matrixDifferenceRows(*differences.weights)));
    figure.size = [lists](const Theme& theme) {
        double height = 0.0;
        for (const BarList& list : lists)
            height = std::max(height, barsHeight(list.bars, theme));
        const auto count = static_cast<double>(lists.size());
        return QSizeF((count * kColumn) * theme.scale() + (count - 1.0) * kGap,
                      height + kTitle * theme.scale());
    };
    figure.paint = [lists](QPainter& painter, const QRectF& area, const Theme& theme,
                           const FigureTarget&) { paintLists(painter, area, lists, theme); };
    if (!heads.empty())
        figure.numbers.push_back(
            tableOf(QStringLiteral("heads"), heads,
                    {QStringLiteral("js_bits"), QStringLiteral("largest_js_bits")}));
    if (!tokens.empty())
        figure.numbers.push_back(tokenTable(differences.traces, tokens));
    if (differences.weights)
        figure.numbers.push_back(
            tableOf(QStringLiteral("matrices"), matrixDifferenceRows(*differences.weights),
                    {QStringLiteral("relative"), QStringLiteral("difference")}));
    return figure;
}

} // namespace headscope::ui
