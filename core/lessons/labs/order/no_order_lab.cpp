#include "core/base/error.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/model/config/mask_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

namespace headscope {

namespace {

constexpr std::size_t kMostWords = 8;
constexpr std::int64_t kWidth = 32;
constexpr std::int64_t kShownChannels = 6;
constexpr std::uint64_t kSeed = 5;
constexpr double kRounding = 1e-5; ///< Rounding error of reordered sums.

std::vector<std::string> wordsOf(const std::string& text)
{
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word && words.size() <= kMostWords;)
        words.push_back(word);
    if (words.size() < 2 || words.size() > kMostWords)
        throw Error("the number of words is out of range", "Words",
                    fmt::format("Type 2 to {} words", kMostWords));
    return words;
}

/// Ids in order of first occurrence.
std::vector<TokenId> idsOf(const std::vector<std::string>& words)
{
    std::map<std::string, TokenId> known;
    std::vector<TokenId> ids;
    for (const std::string& word : words)
        ids.push_back(known.try_emplace(word, static_cast<TokenId>(known.size())).first->second);
    return ids;
}

Model freshModel(const std::string& positions, bool isCausal)
{
    ModelConfig config;
    config.vocabularySize = kMostWords;
    config.dModel = kWidth;
    config.heads = 4;
    config.layers = 2;
    config.dFf = 2 * kWidth;
    config.maxLen = kMostWords;
    config.positions = parsePositions(positions).kind;
    config.causal = isCausal;
    config.languageHead = false;
    config.initialisation = Initialisation::FanIn;
    return Model::initialised(config, kSeed);
}

Tensor outputsOf(const Model& model, const std::vector<TokenId>& ids, AttentionBackend& backend)
{
    KvCache cache(model.config());
    return model.forward(ids, backend, cache);
}

Tensor reversedRows(TensorView rows)
{
    Tensor result(rows.shape);
    const std::int64_t last = rows.shape[0] - 1;
    for (std::int64_t row = 0; row <= last; ++row)
        std::copy_n(rows[last - row].data, rows.shape[1], &result.view()(row, 0));
    return result;
}

LabMatrix outputMatrix(TensorView rows, const std::vector<std::string>& words)
{
    rows.shape = Shape{rows.shape[0], kShownChannels};
    LabMatrix matrix = matrixOf("word", "channel", rows, true);
    matrix.rowLabels = words;
    return matrix;
}

std::string joined(const std::vector<std::string>& words)
{
    return fmt::format("\u201C{}\u201D", fmt::join(words, " "));
}

} // namespace

LabResult runNoOrder(const LabSettings& settings, const LabContext& context, const std::stop_token&)
{
    const std::vector<std::string> words = wordsOf(settings.text("words"));
    const std::vector<std::string> back(words.rbegin(), words.rend());
    std::vector<TokenId> ids = idsOf(words);
    const Model model = freshModel(settings.text("positions"), settings.isOn("causal"));
    const auto backend = backendOf(context);
    const Tensor there = outputsOf(model, ids, *backend);
    std::ranges::reverse(ids);
    const Tensor other = reversedRows(outputsOf(model, ids, *backend).view());
    const double largest = largestDifference(there.view(), other.view());

    LabBars bars;
    LabResult result;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto row = static_cast<std::int64_t>(i);
        const double difference = largestDifference(there.view()[row], other.view()[row]);
        bars.bars.push_back({words[i], difference < kRounding ? 0.0 : difference,
                             fmt::format("{:.2g}", difference)});
        result.numbers.push_back({fmt::format("difference_{}", i), words[i], difference});
    }
    result.panels = {
        {"Output for " + joined(words), "One row per word", outputMatrix(there.view(), words)},
        {"Output for " + joined(back), "Rows in the order of the left matrix",
         outputMatrix(other.view(), words)},
        {"Difference of each word's row", "0: the model cannot tell", std::move(bars)}};
    result.numbers.push_back({"largest_difference", "Largest difference", largest});
    result.sentence =
        largest < kRounding
            ? fmt::format("{} and {} give the same rows, to within {:.1e}: the model cannot tell "
                          "the order.",
                          joined(words), joined(back), largest)
            : fmt::format(
                  "{} and {} give rows that differ by up to {:.3f}: the model can tell them apart.",
                  joined(words), joined(back), largest);
    putFirst(result, "largest_difference");
    return result;
}

} // namespace headscope
