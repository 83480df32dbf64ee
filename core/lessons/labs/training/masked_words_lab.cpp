#include "core/analysis/lens/next_sentence.h"
#include "core/analysis/lens/next_token.h"
#include "core/base/content_language.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/lessons/labs/training/sentence_encoder.h"
#include "core/text/display_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

constexpr std::size_t kLongest = 24; ///< Maximum tokens of the sentence.
constexpr int kDraws = 4000;         ///< Number of samples for the fractions.
constexpr std::uint64_t kSharesSeed = 15;

/// Counts of selected tokens by replacement.
struct Counts
{
    std::int64_t tokens = 0;
    std::int64_t masked = 0;
    std::int64_t replaced = 0;
    std::int64_t kept = 0;

    std::int64_t chosen() const { return masked + replaced + kept; }

    double fraction(std::int64_t part) const
    {
        return chosen() == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(chosen());
    }
};

void count(const Batch& batch, TokenId mask, Counts& counts)
{
    counts.tokens += static_cast<std::int64_t>(batch.inputs.size());
    for (std::size_t i = 0; i < batch.inputs.size(); ++i) {
        if (batch.targets[i] == kIgnoredTarget)
            continue;
        if (batch.inputs[i] == mask)
            ++counts.masked;
        else if (batch.inputs[i] == batch.targets[i])
            ++counts.kept;
        else
            ++counts.replaced;
    }
}

Batch rowOf(const std::vector<TokenId>& ids)
{
    Batch batch;
    batch.rows = 1;
    batch.length = static_cast<std::int64_t>(ids.size());
    batch.inputs = ids;
    return batch;
}

/// Average effect of masking, over one long batch of copies of the same sentence.
Counts countsOfMany(const std::vector<TokenId>& ids, const MaskingSettings& masking,
                    const std::stop_token& stop)
{
    std::vector<TokenId> many;
    for (int draw = 0; draw < kDraws; ++draw)
        many.insert(many.end(), ids.begin(), ids.end());
    throwIfStopped(stop);
    Batch batch = rowOf(many);
    Random random(kSharesSeed);
    maskTokens(masking, random, batch);
    Counts counts;
    count(batch, masking.maskToken, counts);
    return counts;
}

LabTokens::Token tokenOf(const Tokenizer& tokenizer, TokenId id, bool isSelected)
{
    return {displayText(tokenizer.tokenBytes(id)), id, 0, 0, isSelected};
}

/// All tokens, those with a target marked.
LabTokens::Row inputRow(const Tokenizer& tokenizer, std::string name,
                        const std::vector<TokenId>& ids, const std::vector<TokenId>& targets)
{
    LabTokens::Row row{std::move(name)};
    for (std::size_t i = 0; i < ids.size(); ++i)
        row.tokens.push_back(tokenOf(tokenizer, ids[i], targets[i] != kIgnoredTarget));
    return row;
}

/// The targets, in the order of the marked tokens.
LabTokens::Row targetRow(const Tokenizer& tokenizer, const std::vector<TokenId>& targets)
{
    LabTokens::Row row{"Target"};
    for (const TokenId target : targets)
        if (target != kIgnoredTarget)
            row.tokens.push_back(tokenOf(tokenizer, target, true));
    return row;
}

/// Pair of texts for next-sentence prediction, without padding, and what the encoder says.
struct Pair
{
    LabTokens::Row row;
    bool follows = false;
    double probability = 0.0; ///< That b follows a.
};

Pair pairOf(std::int64_t draw, const SentenceEncoder& encoder, const LabContext& context)
{
    const Batch batch = encoder.pairs->trainingBatch(1, draw);
    std::vector<TokenId> ids;
    for (std::size_t i = 0; i < batch.inputs.size(); ++i)
        if (batch.keyMask[i] != 0)
            ids.push_back(batch.targets[i] == kIgnoredTarget ? batch.inputs[i] : batch.targets[i]);
    Pair pair;
    pair.row =
        inputRow(*encoder.tokenizer, "Pair", ids, std::vector<TokenId>(ids.size(), kIgnoredTarget));
    pair.follows = batch.nextSentence.front() == 0;
    pair.probability = followsProbability(*encoder.trace(ids, context)).value_or(0.0);
    pair.row.note =
        pair.follows
            ? fmt::format("b follows a: IsNext; the encoder gives this {:.3f}", pair.probability)
            : fmt::format("b is from another text: NotNext; the encoder gives this {:.3f}",
                          1.0 - pair.probability);
    return pair;
}

/// What the encoder predicts at the selected tokens of one sample.
struct Predictions
{
    LabTokens::Row best{"Top-1"};
    LabTokens::Row probability{"P(target)"};
    std::int64_t right = 0;
    double loss = 0.0; ///< Mean of -ln P(target), nats.
};

double probabilityOf(const Tensor& logits, std::int64_t row, TokenId id)
{
    const TensorView scores = logits.view()[row];
    double sum = 0.0;
    for (std::int64_t i = 0; i < scores.shape[0]; ++i)
        sum += std::exp(static_cast<double>(scores(i)) - static_cast<double>(scores(id)));
    return 1.0 / sum;
}

Predictions predictionsFor(const Batch& batch, const SentenceEncoder& encoder,
                           const LabContext& context)
{
    const Tokenizer& tokenizer = *encoder.tokenizer;
    std::vector<TokenId> ids{*tokenizer.find(kClassToken)};
    ids.insert(ids.end(), batch.inputs.begin(), batch.inputs.end());
    ids.push_back(*tokenizer.find(kSeparatorToken));
    const TracePtr trace = encoder.trace(ids, context);
    const auto logits = trace->find({Site::Logits, 0});
    Predictions predictions;
    std::int64_t selected = 0;
    for (std::size_t i = 0; i < batch.targets.size(); ++i) {
        const TokenId target = batch.targets[i];
        if (target == kIgnoredTarget)
            continue;
        const auto row = static_cast<std::int64_t>(i) + 1; // after [CLS]
        const Candidate candidate = nextTokens(*trace, row, 1, &tokenizer).front();
        const double right = probabilityOf(*logits, row, target);
        predictions.best.tokens.push_back({candidate.text, candidate.id, 0, 0, true});
        predictions.probability.tokens.push_back({fmt::format("{:.3f}", right), -1, 0, 0, true});
        predictions.right += candidate.id == target ? 1 : 0;
        predictions.loss -= std::log(right);
        ++selected;
    }
    predictions.loss /= static_cast<double>(selected);
    predictions.best.note = fmt::format("{} of {} right", predictions.right, selected);
    predictions.probability.note = fmt::format("loss {:.3f} nats", predictions.loss);
    return predictions;
}

LabBars fractionsOf(const Counts& counts)
{
    const auto bar = [&](const char* name, std::int64_t part) {
        const double fraction = counts.fraction(part);
        return LabBars::Bar{message(name), fraction, fmt::format("{:.1f} %", 100.0 * fraction)};
    };
    return {"",
            {bar("[MASK]", counts.masked), bar("another token", counts.replaced),
             bar("unchanged", counts.kept)}};
}

} // namespace

LabResult runMaskedWords(const LabSettings& settings, const LabContext& context,
                         const std::stop_token& stop)
{
    const SentenceEncoder& encoder = sentenceEncoder(context);
    const BpeTokenizer& tokenizer = *encoder.tokenizer;
    const std::string text = context.text.empty() ? "The cat sat on the mat" : context.text;
    std::vector<TokenId> ids = tokenizer.encode(text, false).ids();
    std::erase_if(ids, [&](TokenId id) { return tokenizer.isSpecial(id); });
    ids.resize(std::min(ids.size(), kLongest));
    MaskingSettings masking = encoder.pairs->masking();
    masking.fraction = settings.number("share") / 100.0;
    Batch batch = rowOf(ids);
    const std::int64_t draw = settings.integer("draw");
    Random random(1, static_cast<std::uint64_t>(draw));
    maskTokens(masking, random, batch);
    Counts here;
    count(batch, masking.maskToken, here);
    const Counts many = countsOfMany(ids, masking, stop);
    const Counts& counts = many;

    LabTokens rows;
    rows.rows = {inputRow(tokenizer, "Input", batch.inputs, batch.targets),
                 targetRow(tokenizer, batch.targets)};
    rows.rows[0].note = fmt::format("{} of {} selected", here.chosen(), ids.size());
    rows.rows[1].note = "no loss elsewhere";
    const Predictions predictions = predictionsFor(batch, encoder, context);
    rows.rows.push_back(predictions.best);
    rows.rows.push_back(predictions.probability);
    const Pair pair = pairOf(draw, encoder, context);
    const TargetAccuracy& held = encoder.heldOut;
    const double chosen = static_cast<double>(counts.chosen()) / static_cast<double>(counts.tokens);
    LabResult result;
    result.panels = {{"Predict the masked tokens",
                      "Marked: selected; predictions by builtin:sentences", std::move(rows)},
                     {"Replacement of selected tokens", fmt::format("Over {} samples", kDraws),
                      fractionsOf(counts)},
                     {"Next-sentence prediction", "The second task of BERT, predicted at [CLS]",
                      LabTokens{{pair.row}}}};
    result.numbers = {
        {"tokens", "Tokens", static_cast<double>(ids.size())},
        {"chosen", "Selected in this sample", static_cast<double>(here.chosen())},
        {"chosen_percent", "Selected", 100.0 * chosen, "%"},
        {"masked_percent", "Replaced by [MASK]", 100.0 * counts.fraction(counts.masked), "%"},
        {"replaced_percent", "Replaced by another token", 100.0 * counts.fraction(counts.replaced),
         "%"},
        {"kept_percent", "Left unchanged", 100.0 * counts.fraction(counts.kept), "%"},
        {"follows", "The second part follows", pair.follows ? 1.0 : 0.0},
        {"follows_probability", "The encoder: it follows", pair.probability},
        {"right", "Predicted right in this sample", static_cast<double>(predictions.right)},
        {"loss", "Loss of this sample", predictions.loss, "nats"},
        {"held_out_targets", "Held-out masked words", static_cast<double>(held.targets)},
        {"held_out_right", "Held-out masked words right", 100.0 * held.tokens, "%"},
        {"held_out_pairs", "Held-out pairs", static_cast<double>(held.pairs)},
        {"held_out_pairs_right", "Held-out pairs right", 100.0 * held.pairsRight, "%"}};
    result.sentence = fmt::format(
        "This sample selects {} of {} tokens; the encoder predicts {} of them right. Over {} "
        "samples {:.1f} % are selected; {:.1f} % of them become [MASK], {:.1f} % another token, "
        "and {:.1f} % stay.",
        here.chosen(), ids.size(), predictions.right, kDraws, 100.0 * chosen,
        100.0 * counts.fraction(counts.masked), 100.0 * counts.fraction(counts.replaced),
        100.0 * counts.fraction(counts.kept));
    return result;
}

} // namespace headscope
