#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

constexpr std::int64_t kLongest = 12;
constexpr std::int64_t kChannels = 8;
constexpr std::uint64_t kSeed = 7;

const std::vector<std::string> kWords{"The", "cat",  "sat", "on",  "the",   "mat",
                                      "and", "then", "it",  "ran", "after", "us"};

struct MaskKind
{
    bool isCausal = false;
    bool hidesPadding = false;
};

MaskKind kindOf(const std::string& name)
{
    return {name == "causal" || name == "both", name == "padding" || name == "both"};
}

/// Queries, keys and values of a batch of two: the padded sentence and a longer one that is not
/// padded. All padding tokens are identical.
struct PaddedBatch
{
    std::int64_t words = 0;
    std::int64_t length = 0;
    Tensor queries; ///< [2, 1, length, channels].
    Tensor keys;
    Tensor values;
    std::vector<std::uint8_t> isWord; ///< [2, length].
};

Tensor paddedRows(std::int64_t words, std::int64_t length, std::uint64_t seed)
{
    const Tensor source = randomRows(Shape{2 * kLongest + 1, kChannels}, seed);
    Tensor rows(Shape{2, 1, length, kChannels});
    for (std::int64_t text = 0; text < 2; ++text) {
        for (std::int64_t row = 0; row < length; ++row) {
            const bool isPadding = text == 0 && row >= words;
            const std::int64_t from = isPadding ? 2 * kLongest : text * kLongest + row;
            std::copy_n(source.view()[from].data, kChannels, &rows.view()(text, 0, row, 0));
        }
    }
    return rows;
}

PaddedBatch paddedBatch(std::int64_t words, std::int64_t length)
{
    PaddedBatch batch{words,
                      length,
                      paddedRows(words, length, kSeed),
                      paddedRows(words, length, kSeed + 1),
                      paddedRows(words, length, kSeed + 2),
                      std::vector<std::uint8_t>(static_cast<std::size_t>(2 * length), 1)};
    std::fill(batch.isWord.begin() + words, batch.isWord.begin() + length, std::uint8_t{0});
    return batch;
}

AttentionInputs inputsOf(const PaddedBatch& batch, MaskKind kind)
{
    AttentionInputs inputs;
    inputs.queries = batch.queries.view();
    inputs.keys = batch.keys.view();
    inputs.values = batch.values.view();
    inputs.scale = 1.0F / std::sqrt(static_cast<float>(kChannels));
    inputs.mask.causal = kind.isCausal;
    if (kind.hidesPadding) {
        inputs.mask.allowed = batch.isWord.data();
        inputs.mask.allowedBatchStride = batch.length;
    }
    return inputs;
}

/// The first sentence alone, without padding.
AttentionInputs alone(AttentionInputs inputs, std::int64_t words)
{
    for (TensorView* rows : {&inputs.queries, &inputs.keys, &inputs.values})
        rows->shape = Shape{1, 1, words, kChannels};
    inputs.mask.allowed = nullptr;
    return inputs;
}

bool isHidden(MaskKind kind, const PaddedBatch& batch, std::int64_t query, std::int64_t key)
{
    return (kind.isCausal && key > query) || (kind.hidesPadding && key >= batch.words);
}

LabMatrix cells(TensorView values, const PaddedBatch& batch, MaskKind kind, bool isSigned)
{
    LabMatrix matrix = matrixOf("query", "key", values, isSigned);
    for (std::int64_t i = 0; i < batch.length; ++i) {
        const auto at = static_cast<std::size_t>(i);
        matrix.rowLabels[at] = i < batch.words ? kWords[at] : "<pad>";
        for (std::int64_t key = 0; key < batch.length; ++key)
            matrix.masked.push_back(isHidden(kind, batch, i, key));
    }
    matrix.columnLabels = matrix.rowLabels;
    if (!isSigned) {
        matrix.low = 0.0;
        matrix.high = 1.0;
    }
    return matrix;
}

struct Measured
{
    std::int64_t hiddenCells = 0;
    double hiddenWeight = 0.0;  ///< Total weight in hidden cells.
    double paddingWeight = 0.0; ///< Largest fraction of a token's attention on padding.
    double rowError = 0.0;      ///< Largest deviation of a row sum from 1.
};

Measured measure(TensorView pattern, const PaddedBatch& batch, MaskKind kind)
{
    Measured result;
    for (std::int64_t query = 0; query < batch.length; ++query) {
        double sum = 0.0;
        double padding = 0.0;
        for (std::int64_t key = 0; key < batch.length; ++key) {
            const auto weight = static_cast<double>(pattern(query, key));
            sum += weight;
            padding += key >= batch.words ? weight : 0.0;
            if (isHidden(kind, batch, query, key)) {
                ++result.hiddenCells;
                result.hiddenWeight += weight;
            }
        }
        result.rowError = std::max(result.rowError, std::abs(sum - 1.0));
        if (query < batch.words)
            result.paddingWeight = std::max(result.paddingWeight, padding);
    }
    return result;
}

/// Difference per token between the result in the batch and that of the sentence alone.
LabBars differences(TensorView inBatch, TensorView byItself)
{
    LabBars bars;
    for (std::int64_t word = 0; word < byItself.shape[0]; ++word) {
        const double difference = largestDifference(inBatch[word], byItself[word]);
        bars.bars.push_back({kWords[static_cast<std::size_t>(word)],
                             difference < 1e-6 ? 0.0 : difference,
                             fmt::format("{:.2g}", difference)});
    }
    return bars;
}

} // namespace

LabResult runMasks(const LabSettings& settings, const LabContext& context, const std::stop_token&)
{
    const MaskKind kind = kindOf(settings.text("kind"));
    const std::int64_t words = integerUpTo(kLongest, settings, "words");
    const PaddedBatch batch =
        paddedBatch(words, std::max(words, integerUpTo(kLongest, settings, "length")));
    const auto backend = backendOf(context);
    const AttentionInputs inputs = inputsOf(batch, kind);
    const Attended together = attend(inputs, *backend);
    const Attended single = attend(alone(inputs, words), *backend);
    const TensorView pattern = together.pattern.view()[0][0];
    const Measured seen = measure(pattern, batch, kind);
    TensorView inBatch = together.context.view()[0][0];
    inBatch.shape = Shape{words, kChannels};
    const double difference = largestDifference(inBatch, single.context.view()[0][0]);

    LabResult result;
    result.panels = {{"Scores", "Grey: set to \u2212\u221E before the softmax",
                      cells(together.scores.view()[0][0], batch, kind, true)},
                     {"Weights", "Every row sums to 1", cells(pattern, batch, kind, false)},
                     {"In the batch vs. alone", "Largest difference in each token's result",
                      differences(inBatch, single.context.view()[0][0])}};
    result.numbers = {{"words", "Words", static_cast<double>(words)},
                      {"length", "Padded to", static_cast<double>(batch.length)},
                      {"hidden_cells", "Hidden cells", static_cast<double>(seen.hiddenCells)},
                      {"hidden_weight", "Hidden weight", seen.hiddenWeight},
                      {"padding_weight", "Weight on padding", 100.0 * seen.paddingWeight, "%"},
                      {"row_error", "Error of the row sums", seen.rowError},
                      {"largest_difference", "Change in the batch", difference}};
    result.sentence =
        difference < 1e-6
            ? fmt::format(
                  "{} cells are hidden, with a total weight of exactly {}. The batch does not "
                  "change the result of any token.",
                  seen.hiddenCells, seen.hiddenWeight)
            : fmt::format("{} cells are hidden. Tokens give up to {:.0f} % of their attention to "
                          "padding, and the batch changes their results by up to {:.2f}.",
                          seen.hiddenCells, 100.0 * seen.paddingWeight, difference);
    putFirst(result, "largest_difference");
    return result;
}

} // namespace headscope
