#include "core/base/content_language.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/lessons/labs/text/training_text.h"
#include "core/text/display_text.h"
#include "core/text/training/bpe_trainer.h"
#include "core/train/data/masked_text_dataset.h"
#include "core/train/data/text_dataset.h"

#include <fmt/format.h>

#include <array>

namespace headscope {

namespace {

constexpr std::size_t kVocabulary = 900;
constexpr std::size_t kLongest = 24;     ///< Maximum tokens of the sentence.
constexpr std::int64_t kPairLength = 32; ///< Tokens of a pair of texts.
constexpr int kDraws = 4000;             ///< Number of samples for the fractions.
constexpr std::uint64_t kSharesSeed = 15;

/// Tokenizer and pairs of texts for masking; created once.
struct Material
{
    std::shared_ptr<const BpeTokenizer> tokenizer;
    std::shared_ptr<const MaskedTextDataset> pairs;
};

Material makeMaterial()
{
    BpeTrainerSettings settings;
    settings.vocabularySize = kVocabulary;
    settings.specialTokens = maskedTextSpecialTokens();
    settings.specialTokens.insert(settings.specialTokens.begin(), "<|endoftext|>");
    Material material;
    material.tokenizer = trainBpeOnLines(labTrainingText(), settings);
    MaskedTextSettings rows;
    rows.rows = 1;
    rows.length = kPairLength;
    rows.pairs = true;
    rows.segments = true;
    rows.validationBatches = 0;
    rows.validationFraction = 0.0;
    material.pairs = std::make_shared<const MaskedTextDataset>(
        *material.tokenizer, splitDocuments(labTrainingText()), rows);
    return material;
}

const Material& material()
{
    static const Material made = makeMaterial();
    return made;
}

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
    stopIfAsked(stop);
    Batch batch = rowOf(many);
    Random random(kSharesSeed);
    maskTokens(masking, random, batch);
    Counts counts;
    count(batch, masking.maskToken, counts);
    return counts;
}

LabTokens::Row rowOfTokens(std::string name, const std::vector<TokenId>& ids,
                           const std::vector<TokenId>& targets, bool showsTargets)
{
    LabTokens::Row row;
    row.name = std::move(name);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const bool isChosen = targets[i] != kIgnoredTarget;
        const TokenId id = showsTargets && isChosen ? targets[i] : ids[i];
        LabTokens::Token token;
        token.text = showsTargets && !isChosen ? "\u00B7"
                                               : displayText(material().tokenizer->tokenBytes(id));
        token.id = showsTargets && !isChosen ? -1 : id;
        token.isNew = isChosen;
        row.tokens.push_back(std::move(token));
    }
    return row;
}

/// Pair of texts for next-sentence prediction, without padding.
LabTokens::Row pairRow(std::int64_t draw)
{
    const Batch batch = material().pairs->trainingBatch(1, draw);
    std::vector<TokenId> ids;
    for (std::size_t i = 0; i < batch.inputs.size(); ++i)
        if (batch.keyMask[i] != 0)
            ids.push_back(batch.targets[i] == kIgnoredTarget ? batch.inputs[i] : batch.targets[i]);
    LabTokens::Row row =
        rowOfTokens("Pair", ids, std::vector<TokenId>(ids.size(), kIgnoredTarget), false);
    row.note =
        batch.nextSentence.front() == 0 ? "b follows a: IsNext" : "b is from another text: NotNext";
    return row;
}

LabBars fractionsOf(const Counts& counts)
{
    const auto bar = [&](const char* name, std::int64_t part) {
        const double fraction = counts.fraction(part);
        return LabBars::Bar{message(name), fraction, fmt::format("{:.1f} %", 100.0 * fraction),
                            false};
    };
    return {"",
            {bar("[MASK]", counts.masked), bar("another token", counts.replaced),
             bar("unchanged", counts.kept)}};
}

} // namespace

LabResult runMaskedWords(const LabSettings& settings, const LabContext& context,
                         const std::stop_token& stop)
{
    const BpeTokenizer& tokenizer = *material().tokenizer;
    std::vector<TokenId> ids =
        tokenizer.encode(context.text.empty() ? "The cat sat on the mat" : context.text).ids();
    ids.resize(std::min(ids.size(), kLongest));
    MaskingSettings masking = material().pairs->masking();
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
    rows.rows = {rowOfTokens("Input", batch.inputs, batch.targets, false),
                 rowOfTokens("Target", batch.inputs, batch.targets, true)};
    rows.rows[0].note = fmt::format("{} of {} selected", here.chosen(), ids.size());
    rows.rows[1].note = "no loss elsewhere";
    const LabTokens::Row pair = pairRow(draw);
    const double chosen = static_cast<double>(counts.chosen()) / static_cast<double>(counts.tokens);
    LabResult result;
    result.panels = {
        {"Predict the masked tokens", "Marked: selected in this sample", std::move(rows)},
        {"Replacement of selected tokens", fmt::format("Over {} samples", kDraws),
         fractionsOf(counts)},
        {"Next-sentence prediction", "The second task of BERT, predicted at [CLS]",
         LabTokens{{pair}}}};
    result.numbers = {
        {"tokens", "Tokens", static_cast<double>(ids.size()), {}},
        {"chosen", "Selected in this sample", static_cast<double>(here.chosen()), {}},
        {"chosen_percent", "Selected", 100.0 * chosen, "%"},
        {"masked_percent", "Replaced by [MASK]", 100.0 * counts.fraction(counts.masked), "%"},
        {"replaced_percent", "Replaced by another token", 100.0 * counts.fraction(counts.replaced),
         "%"},
        {"kept_percent", "Left unchanged", 100.0 * counts.fraction(counts.kept), "%"},
        {"follows", "The second part follows", pair.note.ends_with("IsNext") ? 1.0 : 0.0, {}}};
    result.sentence = fmt::format(
        "This sample selects {} of {} tokens. Over {} samples {:.1f} % are selected; {:.1f} % of "
        "them become [MASK], {:.1f} % another token, and {:.1f} % stay.",
        here.chosen(), ids.size(), kDraws, 100.0 * chosen, 100.0 * counts.fraction(counts.masked),
        100.0 * counts.fraction(counts.replaced), 100.0 * counts.fraction(counts.kept));
    return result;
}

} // namespace headscope
