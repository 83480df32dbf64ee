#include "core/attention/reference_attention.h"
#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope {

namespace {

constexpr std::int64_t kHeadDim = 8;

/// Running state of a query over the tiles of keys (Milakov, Gimelshein 2018; Dao et al. 2022,
/// algorithm 1).
struct RunningRow
{
    double maximum = -std::numeric_limits<double>::infinity();
    double sum = 0.0;           ///< Sum of e^(score - maximum).
    std::vector<double> output; ///< Sum of e^(score - maximum) * value.

    double correction = 1.0; ///< Factor by which the last tile scaled the old sum.

    void add(std::span<const float> scores, TensorView values, std::int64_t visible)
    {
        double larger = maximum;
        for (std::int64_t key = 0; key < visible; ++key)
            larger = std::max(larger, static_cast<double>(scores[static_cast<std::size_t>(key)]));
        correction = std::exp(maximum - larger);
        sum *= correction;
        for (double& value : output)
            value *= correction;
        for (std::int64_t key = 0; key < visible; ++key) {
            const double weight =
                std::exp(static_cast<double>(scores[static_cast<std::size_t>(key)]) - larger);
            sum += weight;
            for (std::size_t d = 0; d < output.size(); ++d)
                output[d] += weight * static_cast<double>(values(key, d));
        }
        maximum = larger;
    }
};

/// Attention of one head, one tile of scores at a time.
class TiledAttention
{
public:
    TiledAttention(const AttentionInputs& inputs, std::int64_t tile, AttentionBackend& backend)
        : m_inputs(inputs)
        , m_tile(tile)
        , m_backend(backend)
        , m_tokens(inputs.queries.shape[2])
    {
        RunningRow empty;
        empty.output.assign(static_cast<std::size_t>(inputs.values.shape[3]), 0.0);
        m_rows.assign(static_cast<std::size_t>(m_tokens), empty);
        m_plot.rows = static_cast<int>(blocks());
        m_plot.columns = static_cast<int>(blocks());
        m_plot.rowsName = "block of queries";
        m_plot.columnsName = "block of keys";
    }

    LabTiles run()
    {
        for (std::int64_t row = 0; row < blocks(); ++row)
            for (std::int64_t column = 0; column < blocks(); ++column) {
                if (m_inputs.mask.causal && column > row)
                    m_plot.skipped.emplace_back(static_cast<int>(row), static_cast<int>(column));
                else
                    addTile(row, column);
            }
        return m_plot;
    }

    Tensor context() const
    {
        Tensor result(m_inputs.queries.shape);
        const MutableTensorView view = result.view();
        for (std::int64_t query = 0; query < m_tokens; ++query) {
            const RunningRow& row = m_rows[static_cast<std::size_t>(query)];
            for (std::size_t d = 0; d < row.output.size(); ++d)
                view(0, 0, query, d) = static_cast<float>(row.output[d] / row.sum);
        }
        return result;
    }

private:
    std::int64_t blocks() const { return (m_tokens + m_tile - 1) / m_tile; }

    std::int64_t sizeOf(std::int64_t block) const
    {
        return std::min(m_tile, m_tokens - block * m_tile);
    }

    Tensor scoresOf(std::int64_t row, std::int64_t column)
    {
        AttentionInputs part = m_inputs;
        part.mask = {};
        part.queries = tokenRange(m_inputs.queries, row * m_tile, sizeOf(row));
        part.keys = tokenRange(m_inputs.keys, column * m_tile, sizeOf(column));
        part.values = tokenRange(m_inputs.values, column * m_tile, sizeOf(column));
        Tensor context(part.queries.shape);
        Tensor scores({1, 1, sizeOf(row), sizeOf(column)});
        AttentionOutputs outputs;
        outputs.context = context.view();
        outputs.scores = scores.view();
        m_backend.forward(part, outputs);
        return scores;
    }

    void addTile(std::int64_t row, std::int64_t column)
    {
        const Tensor scores = scoresOf(row, column);
        const TensorView values =
            tokenRange(m_inputs.values, column * m_tile, sizeOf(column))[0][0];
        for (std::int64_t query = 0; query < sizeOf(row); ++query) {
            const std::int64_t position = row * m_tile + query;
            const std::int64_t visible =
                m_inputs.mask.causal ? std::min(sizeOf(column), position - column * m_tile + 1)
                                     : sizeOf(column);
            const auto width = static_cast<std::size_t>(sizeOf(column));
            m_rows[static_cast<std::size_t>(position)].add(
                scores.values().subspan(static_cast<std::size_t>(query) * width, width), values,
                visible);
        }
        noteTile(row, column);
    }

    void noteTile(std::int64_t row, std::int64_t column)
    {
        const std::int64_t query = row * m_tile + sizeOf(row) - 1;
        const RunningRow& kept = m_rows[static_cast<std::size_t>(query)];
        LabTiles::Tile tile;
        tile.row = static_cast<int>(row);
        tile.column = static_cast<int>(column);
        tile.caption =
            fmt::format("queries {} to {}, keys {} to {}; running state of query {}", row * m_tile,
                        query, column * m_tile, column * m_tile + sizeOf(column) - 1, query);
        tile.numbers = {{"old sum times", kept.correction},
                        {"largest score so far", kept.maximum},
                        {"sum so far", kept.sum},
                        {"output so far, dim 0", kept.output[0] / kept.sum}};
        m_plot.tiles.push_back(std::move(tile));
    }

    AttentionInputs m_inputs;
    std::int64_t m_tile;
    AttentionBackend& m_backend;
    std::int64_t m_tokens;
    std::vector<RunningRow> m_rows;
    LabTiles m_plot;
};

std::int64_t plainBytes(std::int64_t tokens)
{
    return tokens * tokens * static_cast<std::int64_t>(sizeof(float));
}

/// Bytes of one tile of scores, and of the largest score and sum of every query.
std::int64_t tiledBytes(std::int64_t tokens, std::int64_t tile)
{
    return (tile * tile + 2 * tokens) * static_cast<std::int64_t>(sizeof(float));
}

LabChart memoryChart(std::int64_t tokens, std::int64_t tile)
{
    LabChart chart{"tokens", "bytes per head", true, true};
    chart.mark = static_cast<double>(tokens);
    chart.markText = fmt::format("n = {}", tokens);
    LabChart::Series plain{"all scores at once", {}, {}, true};
    LabChart::Series tiled{"one tile"};
    for (std::int64_t n = 8; n <= 65536; n *= 2) {
        plain.x.push_back(static_cast<double>(n));
        plain.y.push_back(static_cast<double>(plainBytes(n)));
        tiled.y.push_back(static_cast<double>(tiledBytes(n, tile)));
    }
    tiled.x = plain.x;
    chart.series = {plain, tiled};
    return chart;
}

} // namespace

LabResult runFlash(const LabSettings& settings, const LabContext& context, const std::stop_token&)
{
    const std::int64_t tokens = settings.integer("tokens");
    const std::int64_t tile = chosenNumber(settings, "tile");
    LayerOperands::Extents extents;
    extents.tokens = tokens;
    extents.headDim = kHeadDim;
    const LayerOperands operands(extents, 3);
    const AttentionInputs inputs = operands.inputs(settings.isOn("causal"));
    const auto backend = backendOf(context);
    TiledAttention tiled(inputs, tile, *backend);
    const LabTiles plot = tiled.run();
    ReferenceAttention reference;
    const Tensor exact = contextOf(inputs, reference);
    const double difference = largestDifference(tiled.context(), exact);
    const double product = largestDifference(contextOf(inputs, *backend), exact);
    LabResult result;
    result.panels = {{"Tile by tile", fmt::format("{} × {} scores at a time", tile, tile), plot},
                     {"Memory", "besides the operands and the result", memoryChart(tokens, tile)}};
    result.numbers = {
        labNumber("tokens", "Tokens", tokens),
        labNumber("tile", "Tile size", tile),
        labNumber("tiles", "Tiles computed", static_cast<std::int64_t>(plot.tiles.size())),
        labNumber("skipped", "Tiles skipped", static_cast<std::int64_t>(plot.skipped.size())),
        labNumber("plain_bytes", "All scores at once", plainBytes(tokens), "B"),
        labNumber("tiled_bytes", "Tile, maxima and sums", tiledBytes(tokens, tile), "B"),
        labNumber("largest_difference", "Difference from full attention", difference),
        labNumber("backend_difference", "Difference of the program's own tiles", product)};
    result.sentence = fmt::format(
        "{} tiles were computed and {} skipped. The result differs from full attention by at most "
        "{:.1g}: it is exact. {} were held instead of {}.",
        plot.tiles.size(), plot.skipped.size(), difference,
        bytesText(static_cast<double>(tiledBytes(tokens, tile))),
        bytesText(static_cast<double>(plainBytes(tokens))));
    return result;
}

} // namespace headscope
