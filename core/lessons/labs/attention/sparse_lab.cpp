#include "core/base/content_language.h"
#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/attention/sparse_mask.h"
#include "core/lessons/labs/lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope {

namespace {

using Row = std::vector<double>;
using Rows = std::vector<Row>;

struct Kind
{
    std::string name;
    const char* title;
    std::optional<SparseMask::Kind> mask; ///< None: linear attention.
};

const std::array<Kind, 5> kKinds{{{"full", "all keys", SparseMask::Kind::Full},
                                  {"window", "window", SparseMask::Kind::Window},
                                  {"strided", "strided", SparseMask::Kind::Strided},
                                  {"global", "window + first", SparseMask::Kind::Global},
                                  {"linear", "linear", std::nullopt}}};

/// One head of attention over n tokens, and what it costs in multiply-adds and numbers.
struct Attention
{
    Kind kind;
    std::int64_t reach = 1;
    std::int64_t dim = 1;

    SparseMask mask() const { return {kind.mask.value_or(SparseMask::Kind::Full), reach}; }

    /// Scores and sums of values of each visible cell; or, for linear attention, the update of the
    /// state and its product with the query (Katharopoulos et al. 2020, equations 16 to 20).
    double work(std::int64_t tokens) const
    {
        const auto d = static_cast<double>(dim);
        if (!kind.mask)
            return static_cast<double>(tokens) * (2.0 * d * d + 2.0 * d);
        return 2.0 * d * static_cast<double>(mask().cells(tokens));
    }

    /// Numbers that the next token needs: keys and values, or the state with its sum.
    double kept(std::int64_t tokens) const
    {
        const auto d = static_cast<double>(dim);
        if (!kind.mask)
            return d * d + d;
        return 2.0 * d * static_cast<double>(mask().row(tokens - 1));
    }

    std::int64_t layers(std::int64_t tokens) const
    {
        return kind.mask ? mask().layersToReach(tokens) : tokens > 1 ? 1 : 0;
    }
};

Rows rowsOf(const Tensor& tensor)
{
    const TensorView head = tensor.view()[0][0];
    Rows rows;
    for (std::int64_t row = 0; row < head.shape[0]; ++row) {
        Row& values = rows.emplace_back();
        for (std::int64_t d = 0; d < head.shape[1]; ++d)
            values.push_back(static_cast<double>(head(row, d)));
    }
    return rows;
}

double dot(const Row& a, const Row& b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

/// elu(x) + 1, the feature map of Katharopoulos et al. 2020, equation 7.
Rows features(Rows rows)
{
    for (Row& row : rows)
        for (double& x : row)
            x = x > 0.0 ? x + 1.0 : std::exp(x);
    return rows;
}

struct Operands
{
    Rows queries, keys, values;

    explicit Operands(const LayerOperands& made)
        : queries(rowsOf(made.queries))
        , keys(rowsOf(made.keys))
        , values(rowsOf(made.values))
    {
    }
};

/// Weights [n, n] of each visible cell; rows sum to 1. Linear attention has them too, although it
/// never computes them.
Rows weightsOf(const Attention& attention, const Operands& of)
{
    const std::size_t n = of.queries.size();
    const double scale = 1.0 / std::sqrt(static_cast<double>(of.queries.front().size()));
    const bool isLinear = !attention.kind.mask;
    const Rows queries = isLinear ? features(of.queries) : of.queries;
    const Rows keys = isLinear ? features(of.keys) : of.keys;
    const SparseMask mask = attention.mask();
    Rows weights(n, Row(n, 0.0));
    for (std::size_t q = 0; q < n; ++q) {
        double sum = 0.0;
        for (std::size_t k = 0; k <= q; ++k) {
            if (!mask.sees(static_cast<std::int64_t>(q), static_cast<std::int64_t>(k)))
                continue;
            const double score = dot(queries[q], keys[k]);
            weights[q][k] = isLinear ? score : std::exp(scale * score);
            sum += weights[q][k];
        }
        for (double& weight : weights[q])
            weight /= sum;
    }
    return weights;
}

Rows outputOf(const Rows& weights, const Rows& values)
{
    Rows output(weights.size(), Row(values.front().size(), 0.0));
    for (std::size_t q = 0; q < weights.size(); ++q)
        for (std::size_t k = 0; k < values.size(); ++k)
            for (std::size_t d = 0; d < values[k].size(); ++d)
                output[q][d] += weights[q][k] * values[k][d];
    return output;
}

/// Linear attention token by token, from a state of fixed size.
Rows fromState(const Operands& of)
{
    const Rows queries = features(of.queries);
    const Rows keys = features(of.keys);
    const std::size_t d = of.values.front().size();
    Rows state(d, Row(d, 0.0));
    Row sums(d, 0.0);
    Rows output;
    for (std::size_t t = 0; t < queries.size(); ++t) {
        for (std::size_t i = 0; i < d; ++i) {
            sums[i] += keys[t][i];
            for (std::size_t j = 0; j < d; ++j)
                state[i][j] += keys[t][i] * of.values[t][j];
        }
        Row& row = output.emplace_back(Row(d, 0.0));
        for (std::size_t i = 0; i < d; ++i)
            for (std::size_t j = 0; j < d; ++j)
                row[j] += queries[t][i] * state[i][j];
        const double sum = dot(queries[t], sums);
        for (double& value : row)
            value /= sum;
    }
    return output;
}

double largestGap(const Rows& a, const Rows& b)
{
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < a[i].size(); ++j)
            largest = std::max(largest, std::abs(a[i][j] - b[i][j]));
    return largest;
}

LabMatrix matrixFrom(const Attention& attention, const Rows& weights)
{
    const auto n = static_cast<std::int64_t>(weights.size());
    LabMatrix matrix{"query", "key", countedLabels(n), countedLabels(n)};
    const SparseMask mask = attention.mask();
    for (std::int64_t q = 0; q < n; ++q)
        for (std::int64_t k = 0; k < n; ++k) {
            matrix.values.push_back(
                weights[static_cast<std::size_t>(q)][static_cast<std::size_t>(k)]);
            matrix.masked.push_back(!mask.sees(q, k));
        }
    matrix.decimals = n > 12 ? -1 : 2;
    return matrix;
}

std::vector<Attention> allKinds(std::int64_t reach, std::int64_t dim)
{
    std::vector<Attention> all;
    for (const Kind& kind : kKinds)
        all.push_back({kind, reach, dim});
    return all;
}

LabTable costTable(const std::vector<Attention>& all, std::int64_t tokens,
                   const std::string& chosen)
{
    LabTable table{{"Attention", "Multiply-adds", "Fraction", "Kept", "Layers"}};
    const double full = all.front().work(tokens);
    for (const Attention& one : all) {
        if (one.kind.name == chosen)
            table.current = static_cast<int>(table.rows.size());
        table.rows.push_back({message(one.kind.title), grouped(std::llround(one.work(tokens))),
                              fmt::format("{:.1f} %", 100.0 * one.work(tokens) / full),
                              grouped(std::llround(one.kept(tokens))),
                              grouped(one.layers(tokens))});
    }
    return table;
}

LabChart costChart(const std::vector<Attention>& all, std::int64_t tokens)
{
    LabChart chart{"tokens", "multiply-adds of one head", true, true};
    for (const Attention& one : all) {
        LabChart::Series series{one.kind.title, {}, {}, !one.kind.mask};
        for (std::int64_t n = 16; n <= 32768; n *= 2) {
            series.x.push_back(static_cast<double>(n));
            series.y.push_back(one.work(n));
        }
        chart.series.push_back(std::move(series));
    }
    chart.mark = static_cast<double>(tokens);
    chart.markText = fmt::format("n = {}", tokens);
    return chart;
}

/// The shortest text for which linear attention needs fewer multiply-adds than all keys.
std::int64_t crossover(const std::vector<Attention>& all)
{
    std::int64_t tokens = 1;
    while (all.back().work(tokens) >= all.front().work(tokens))
        ++tokens;
    return tokens;
}

} // namespace

LabResult runSparse(const LabSettings& settings, const LabContext&, const std::stop_token&)
{
    const std::int64_t tokens = settings.integer("tokens");
    const std::vector<Attention> all =
        allKinds(settings.integer("reach"), chosenNumber(settings, "d_k"));
    const std::string& name = settings.text("kind");
    const Attention& chosen =
        *std::ranges::find(all, name, [](const Attention& one) { return one.kind.name; });
    LayerOperands::Extents extents;
    extents.tokens = tokens;
    extents.headDim = chosen.dim;
    const Operands operands{LayerOperands(extents, 17)};
    const Rows weights = weightsOf(chosen, operands);
    const Rows output = outputOf(weights, operands.values);
    const Rows full = outputOf(weightsOf(all.front(), operands), operands.values);
    const double state =
        largestGap(fromState(operands), outputOf(weightsOf(all.back(), operands), operands.values));
    const double part = chosen.work(tokens) / all.front().work(tokens);
    LabResult result;
    result.panels = {
        {"Weights on visible keys",
         chosen.kind.mask ? "grey: not computed"
                          : "what the state amounts to; it is never computed",
         matrixFrom(chosen, weights)},
        {"What each costs",
         fmt::format("one head, {} tokens; kept: numbers for the next token", grouped(tokens)),
         costTable(all, tokens, name)},
        {"Work by length", "logarithmic axes", costChart(all, tokens)}};
    result.numbers = {
        labNumber("share", "Work against all keys", 100.0 * part, "%"),
        labNumber("tokens", "Tokens", tokens),
        labNumber("work", "Multiply-adds", chosen.work(tokens)),
        labNumber("work_full", "Multiply-adds with all keys", all.front().work(tokens)),
        labNumber("kept", "Numbers kept for the next token", chosen.kept(tokens)),
        labNumber("kept_full", "With all keys", all.front().kept(tokens)),
        labNumber("layers", "Layers from the first token to the last", chosen.layers(tokens)),
        labNumber("difference", "Difference from attention to all keys", largestGap(output, full)),
        labNumber("state_difference", "Difference of state and weights", state),
        labNumber("crossover", "Linear is cheaper from", crossover(all), "tokens")};
    result.sentence = fmt::format(
        "{} multiply-adds instead of {}, or {:.1f} %. The result differs from attention to all keys by "
        "{:.2g}; linear attention becomes cheaper than all keys at {} tokens.",
        grouped(std::llround(chosen.work(tokens))), grouped(std::llround(all.front().work(tokens))),
        100.0 * part, largestGap(output, full), grouped(crossover(all)));
    return result;
}

} // namespace headscope
