#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/ops/cross_entropy.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace headscope {

namespace {

constexpr std::size_t kMostWords = 8;

/// Sentence with its markers: "<BOS> I like you </EOS>".
std::vector<std::string> markedWords(const std::string& sentence)
{
    std::istringstream stream(sentence);
    std::vector<std::string> words{"<BOS>"};
    for (std::string word; stream >> word && words.size() <= kMostWords + 1;)
        words.push_back(word);
    if (words.size() < 2 || words.size() > kMostWords + 1)
        throw Error("the sentence is too short or too long", "Sentence",
                    fmt::format("Type 1 to {} words", kMostWords));
    words.push_back("</EOS>");
    return words;
}

/// Uniform attention weights [n, n] over the visible tokens.
Tensor evenWeights(std::int64_t words, bool isCausal, AttentionBackend& backend)
{
    const Tensor zeros(Shape{1, 1, words, 1});
    Tensor context(zeros.shape());
    Tensor pattern(Shape{1, 1, words, words});
    AttentionInputs inputs;
    inputs.queries = zeros.view();
    inputs.keys = zeros.view();
    inputs.values = zeros.view();
    inputs.mask.causal = isCausal;
    backend.forward(inputs, {context.view(), pattern.view(), {}, {}});
    Tensor result(Shape{words, words});
    std::ranges::copy(pattern.values(), result.values().begin());
    return result;
}

std::string seenBy(TensorView weights, std::size_t row, const std::vector<std::string>& words)
{
    std::vector<std::string> seen;
    for (std::size_t key = 0; key < words.size(); ++key)
        if (weights(row, key) > 0.0F)
            seen.push_back(words[key]);
    return fmt::format("{}", fmt::join(seen, " "));
}

bool seesAnswer(TensorView weights, std::size_t row, std::size_t words)
{
    return row + 1 < words && weights(row, row + 1) > 0.0F;
}

LabTable nextText(TensorView weights, const std::vector<std::string>& words)
{
    LabTable table{{"row", "token", "sees", "must predict", "answer visible?"}};
    for (std::size_t row = 0; row < words.size(); ++row) {
        const bool isLast = row + 1 == words.size();
        table.rows.push_back({fmt::format("{}", row + 1), words[row], seenBy(weights, row, words),
                              isLast ? message("nothing: the end") : words[row + 1],
                              message(isLast                                   ? "no loss here"
                                      : seesAnswer(weights, row, words.size()) ? "yes"
                                                                               : "no")});
    }
    return table;
}

/// Next token of every row, as ids in the order of the sentence; none for the last.
std::vector<std::int32_t> targetsOf(std::size_t words)
{
    std::vector<std::int32_t> targets;
    for (std::size_t row = 0; row + 1 < words; ++row)
        targets.push_back(static_cast<std::int32_t>(row + 1));
    targets.push_back(kIgnoreIndex);
    return targets;
}

LabMatrix sightMatrix(TensorView weights, const std::vector<std::string>& words)
{
    LabMatrix matrix = matrixOf("query", "key", weights);
    matrix.rowLabels = matrix.columnLabels = words;
    for (const double weight : matrix.values)
        matrix.masked.push_back(weight == 0.0);
    matrix.low = 0.0;
    matrix.high = 1.0;
    return matrix;
}

} // namespace

LabResult runNextWordTable(const LabSettings& settings, const LabContext& context,
                           const std::stop_token&)
{
    const std::vector<std::string> words = markedWords(settings.text("sentence"));
    const auto count = static_cast<std::int64_t>(words.size());
    const auto backend = backendOf(context);
    const Tensor weights = evenWeights(count, settings.isOn("mask"), *backend);
    LabTable table = nextText(weights.view(), words);
    table.current = static_cast<int>(std::min(settings.integer("row"), count)) - 1;

    const std::vector<std::int32_t> targets = targetsOf(words.size());
    const Tensor guesses(Shape{count, count}); // uniform distribution
    const auto kept = static_cast<double>(keptTargets(targets));
    const double loss = crossEntropy(guesses.view(), targets, {}) / kept;
    double visible = 0.0;
    double leaks = 0.0;
    for (std::size_t row = 0; row < words.size(); ++row) {
        leaks += seesAnswer(weights.view(), row, words.size()) ? 1.0 : 0.0;
        for (std::int64_t key = 0; key < count; ++key)
            visible += weights.view()(row, key) > 0.0F ? 1.0 : 0.0;
    }
    LabResult result;
    result.numbers = {{"rows", "Rows", static_cast<double>(count)},
                      {"targets", "Predictions", kept},
                      {"visible", "Visible cells", visible},
                      {"hidden", "Hidden cells", static_cast<double>(count * count) - visible},
                      {"leaks", "Visible answers", leaks},
                      {"even_loss", "Uniform guess", loss, "nats"}};
    const auto current = static_cast<std::size_t>(table.current);
    result.sentence =
        current + 1 < words.size()
            ? fmt::format(
                  "Row {} is at {}, sees \u201C{}\u201D and must predict {}. {} of {} rows see "
                  "their own answer.",
                  current + 1, words[current], table.rows[current][2], words[current + 1], leaks,
                  kept)
            : fmt::format("Row {} is at {}: nothing follows, so it has no loss. {} of {} "
                          "rows see their own answer.",
                          current + 1, words[current], leaks, kept);
    result.panels = {
        {"One sentence, many predictions", "All rows in one forward pass", std::move(table)},
        {"Visible tokens", "Uniform weights over the visible tokens",
         sightMatrix(weights.view(), words)}};
    return result;
}

} // namespace headscope
