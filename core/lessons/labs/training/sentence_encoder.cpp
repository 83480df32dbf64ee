#include "core/lessons/labs/training/sentence_encoder.h"

#include "core/base/error.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/train/data/text_dataset.h"
#include "core/train/stories/story_grammar.h"

namespace headscope {

namespace {

constexpr std::uint64_t kOtherStories =
    20'000'003; ///< Seed of stories that no model was trained on.
constexpr std::size_t kStoryBytes = 120'000;
constexpr std::int64_t kPairLength = 32; ///< Tokens of a pair that is shown.

MaskedTextSettings pairSettings(std::int64_t rows, std::int64_t length, std::int64_t heldOutBatches)
{
    MaskedTextSettings settings;
    settings.rows = rows;
    settings.length = length;
    settings.pairs = true;
    settings.segments = true;
    settings.validationFraction = heldOutBatches > 0 ? 0.5 : 0.0;
    settings.validationBatches = heldOutBatches;
    return settings;
}

SentenceEncoder openEncoder(const LabContext& context)
{
    if (!context.openModel)
        throw Error("this context cannot open built-in models", "lab");
    SentenceEncoder encoder;
    encoder.model = context.openModel(kSentenceEncoder);
    encoder.tokenizer = std::dynamic_pointer_cast<const BpeTokenizer>(encoder.model.tokenizer);
    if (!encoder.tokenizer)
        throw Error("the encoder has another kind of tokenizer", encoder.model.name);
    const std::string text = generateStories(kOtherStories, kStoryBytes);
    const auto stories = splitDocuments(text);
    encoder.pairs = std::make_shared<const MaskedTextDataset>(*encoder.tokenizer, stories,
                                                              pairSettings(1, kPairLength, 0));
    const std::int64_t longest = encoder.model.model->config().maxLen;
    const MaskedTextDataset heldOut(*encoder.tokenizer, stories, pairSettings(16, longest, 8));
    const auto backend = backendOf(context);
    encoder.heldOut = measureTargets(*encoder.model.model, heldOut, *backend);
    return encoder;
}

} // namespace

TracePtr SentenceEncoder::trace(const std::vector<TokenId>& ids, const LabContext& context) const
{
    TokenSequence tokens;
    for (const TokenId id : ids)
        tokens.tokens.push_back({id, {0, 0}, tokenizer->isSpecial(id)});
    return Tracer(model, backendOf(context))
        .trace(tokens, TraceRequest{{"logits", "next_sentence_logits"}});
}

const SentenceEncoder& sentenceEncoder(const LabContext& context)
{
    static const SentenceEncoder encoder = openEncoder(context);
    return encoder;
}

} // namespace headscope
