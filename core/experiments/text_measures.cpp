#include "core/experiments/text_measures.h"

#include "core/generate/sampling.h"
#include "core/ops/cross_entropy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace headscope {

namespace {

constexpr std::int64_t kRows = 4; ///< Number of held-out rows used.
constexpr std::size_t kPromptTokens = 6;
constexpr std::size_t kNewTokens = 24;
constexpr std::int64_t kTail = 16;    ///< Number of tokens of a longer text that are measured.
constexpr std::uint64_t kSeed = 4711; ///< Seed of the sampling.

using Triple = std::array<TokenId, 3>;

std::set<Triple> triplesOf(std::span<const TokenId> tokens)
{
    std::set<Triple> triples;
    for (std::size_t i = 0; i + 2 < tokens.size(); ++i)
        triples.insert({tokens[i], tokens[i + 1], tokens[i + 2]});
    return triples;
}

/// Logits of the token after `ids`, computed from these alone.
Tensor nextLogits(const TrainedVariant& variant, std::span<const TokenId> ids)
{
    KvCache cache(variant.model.config());
    ForwardOptions options;
    options.lastLogitsOnly = true;
    return variant.model.forward(ids, variant.backend, cache, options);
}

std::span<const float> lastRow(const Tensor& logits)
{
    const std::int64_t count = logits.shape()[1];
    return {&logits.view()(logits.shape()[0] - 1, 0), static_cast<std::size_t>(count)};
}

std::vector<TokenId> written(const TrainedVariant& variant, std::span<const TokenId> prompt,
                             Random& random)
{
    std::vector<TokenId> ids(prompt.begin(), prompt.end());
    const auto longest = static_cast<std::size_t>(variant.model.config().maxLen);
    while (ids.size() < std::min(kPromptTokens + kNewTokens, longest)) {
        const Tensor logits = nextLogits(variant, ids);
        ids.push_back(sample(samplingDistribution(lastRow(logits), {}), random));
    }
    return ids;
}

/// Mean loss, in nats, of the last kTail targets of held-out rows of `length` tokens.
double tailLoss(const TrainedVariant& variant, const Model& model, std::int64_t length)
{
    const TextDataset& text = *variant.data.text;
    const std::vector<TokenId>& tokens = text.validationTokens();
    const TokenId mark = *variant.data.tokenizer->endOfText();
    double loss = 0.0;
    std::int64_t count = 0;
    const auto wanted = static_cast<std::size_t>(length);
    std::size_t from = 0;
    for (std::int64_t row = 0; row < 4 * kRows; ++row) {
        while (from < tokens.size() && tokens[from] != mark)
            ++from;
        if (from + wanted + 1 > tokens.size())
            break;
        const auto ids = std::span(tokens).subspan(from, wanted);
        std::vector<TokenId> targets(tokens.begin() + static_cast<std::ptrdiff_t>(from) + 1,
                                     tokens.begin() + static_cast<std::ptrdiff_t>(from + wanted) +
                                         1);
        std::fill(targets.begin(), targets.end() - std::min(kTail, length), kIgnoredTarget);
        KvCache cache(model.config());
        const Tensor logits = model.forward(ids, variant.backend, cache);
        loss += crossEntropy(logits.view(), targets, {});
        count += keptTargets(targets);
        from += wanted;
    }
    return loss / static_cast<double>(count);
}

} // namespace

double prefixLoss(const TrainedVariant& variant)
{
    const Batch batch = variant.data.batches->validationBatch(0);
    double loss = 0.0;
    std::int64_t count = 0;
    for (std::int64_t row = 0; row < std::min(kRows, batch.rows); ++row) {
        const auto ids = batchRow(batch.inputs, batch.length, row);
        const auto targets = batchRow(batch.targets, batch.length, row);
        for (std::size_t i = 3; i < ids.size(); i += 4) {
            if (targets[i] == kIgnoredTarget)
                continue;
            const Tensor logits = nextLogits(variant, ids.first(i + 1));
            loss += crossEntropy(logits.view(), targets.subspan(i, 1), {});
            ++count;
        }
    }
    return loss / static_cast<double>(count);
}

void addWrittenText(const TrainedVariant& variant, VariantResult& result)
{
    const std::set<Triple> known = triplesOf(variant.data.text->trainingTokens());
    const Batch batch = variant.data.batches->validationBatch(0);
    Random random(kSeed);
    std::int64_t all = 0;
    std::int64_t found = 0;
    for (std::int64_t row = 0; row < std::min(2 * kRows, batch.rows); ++row) {
        const auto ids = written(
            variant, batchRow(batch.inputs, batch.length, row).first(kPromptTokens), random);
        for (std::size_t i = kPromptTokens; i < ids.size(); ++i, ++all)
            found += known.contains({ids[i - 2], ids[i - 1], ids[i]}) ? 1 : 0;
        if (row == 0)
            result.sample = variant.data.tokenizer->decode(ids, true);
    }
    result.numbers.push_back(
        {"written_known", static_cast<double>(found) / static_cast<double>(all)});
}

double Reliability::error() const
{
    double sum = 0.0;
    double count = 0.0;
    for (const Bin& bin : bins) {
        sum += static_cast<double>(bin.count) * std::abs(bin.confidence - bin.accuracy);
        count += static_cast<double>(bin.count);
    }
    return count == 0.0 ? 0.0 : sum / count;
}

double Reliability::confidence() const
{
    double sum = 0.0;
    double count = 0.0;
    for (const Bin& bin : bins) {
        sum += static_cast<double>(bin.count) * bin.confidence;
        count += static_cast<double>(bin.count);
    }
    return count == 0.0 ? 0.0 : sum / count;
}

Reliability reliabilityOf(std::span<const double> confidences, const std::vector<bool>& right)
{
    constexpr std::size_t kBins = 10;
    std::array<Reliability::Bin, kBins> bins;
    for (std::size_t i = 0; i < confidences.size(); ++i) {
        const auto place = static_cast<std::size_t>(confidences[i] * kBins);
        Reliability::Bin& bin = bins[std::min(place, kBins - 1)];
        ++bin.count;
        bin.confidence += confidences[i];
        bin.accuracy += right[i] ? 1.0 : 0.0;
    }
    Reliability result;
    for (Reliability::Bin bin : bins) {
        if (bin.count == 0)
            continue;
        bin.confidence /= static_cast<double>(bin.count);
        bin.accuracy /= static_cast<double>(bin.count);
        result.bins.push_back(bin);
    }
    return result;
}

void addCalibration(const TrainedVariant& variant, VariantResult& result)
{
    std::vector<double> confidences;
    std::vector<bool> right;
    forEachHeldOutRow(*variant.data.batches, [&](const Batch& batch, std::int64_t row) {
        KvCache cache(variant.model.config());
        const Tensor logits = variant.model.forward(batchRow(batch.inputs, batch.length, row),
                                                    variant.backend, cache);
        const auto targets = batchRow(batch.targets, batch.length, row);
        for (std::size_t i = 0; i < targets.size(); ++i) {
            if (targets[i] == kIgnoredTarget)
                continue;
            const std::span scores(&logits.view()(i, 0),
                                   static_cast<std::size_t>(logits.shape()[1]));
            const auto fractions = samplingDistribution(scores, {});
            const auto best = std::ranges::max_element(fractions);
            confidences.push_back(static_cast<double>(*best));
            right.push_back(best - fractions.begin() == targets[i]);
        }
    });
    const Reliability reliability = reliabilityOf(confidences, right);
    result.numbers.push_back({"confidence", reliability.confidence()});
    result.numbers.push_back({"calibration_error", reliability.error()});
    ExperimentSeries series{"reliability", {}, {}};
    for (const auto& bin : reliability.bins) {
        series.x.push_back(bin.confidence);
        series.y.push_back(bin.accuracy);
    }
    result.series.push_back(std::move(series));
}

void addLengths(const TrainedVariant& variant, VariantResult& result)
{
    const std::int64_t trained = variant.config.model.maxLen;
    ModelConfig longer = variant.model.config();
    if (longer.positions != Positions::Learned)
        longer.maxLen = 4 * trained;
    const Model model(longer, variant.model.parameters());
    ExperimentSeries series{"length_perplexity", {}, {}};
    for (const std::int64_t length : {trained / 2, trained, 2 * trained, 4 * trained}) {
        if (length > longer.maxLen)
            continue;
        series.x.push_back(static_cast<double>(length));
        series.y.push_back(std::exp(tailLoss(variant, model, length)));
    }
    result.series.push_back(std::move(series));
}

} // namespace headscope
