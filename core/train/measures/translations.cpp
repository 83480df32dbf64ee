#include "core/train/measures/translations.h"

#include "core/base/error.h"
#include "core/generate/beam_search.h"
#include "core/train/data/sequence_task.h"
#include "core/train/phrases/phrase_book.h"

#include <algorithm>

namespace headscope {

namespace {

/// Decoded tokens of one row that are not padding.
std::string textOf(const Tokenizer& tokenizer, const std::vector<TokenId>& ids,
                   const std::vector<std::uint8_t>& mask, std::int64_t length, std::int64_t row)
{
    return tokenizer.decode(unmaskedIds(ids, mask, length, row), true);
}

std::vector<Translations::Pair> heldOutPairs(const PreparedData& data, std::int64_t count)
{
    std::vector<Translations::Pair> pairs;
    for (std::int64_t index = 0; index < data.batches->validationBatchCount(); ++index) {
        const Batch batch = data.batches->validationBatch(index);
        if (batch.sources.empty())
            throw Error("the data are not pairs of source and target", "translations",
                        "Use a task of the objective \"seq2seq\"");
        for (std::int64_t row = 0; row < batch.rows && std::ssize(pairs) < count; ++row)
            pairs.push_back(
                {textOf(*data.tokenizer, batch.sources, batch.sourceKeyMask, batch.sourceLength,
                        row),
                 textOf(*data.tokenizer, batch.inputs, batch.keyMask, batch.length, row),
                 {}});
    }
    return pairs;
}

} // namespace

std::string translate(const LoadedModel& model, AttentionBackend& backend,
                      const std::string& source, int beams, const std::stop_token& stop)
{
    const std::vector<TokenId> ids = model.tokenizer->encode(source).ids();
    DecodingStart start = startDecoding(model, backend, ids, {}, stop);
    BeamSettings settings;
    settings.beams = beams;
    settings.maxTokens = model.model->config().maxLen;
    settings.endOfText = endOfText(model);
    const BeamSearch search = beamSearch(start.state, start.ids, settings, {}, stop);
    if (search.hypotheses.empty())
        return {};
    return knownText(*model.tokenizer, search.hypotheses.front().ids);
}

Translations translateHeldOut(const Model& model, const PreparedData& data,
                              AttentionBackend& backend, const TranslationSettings& settings,
                              const std::stop_token& stop)
{
    // owns nothing: the caller's model outlives this call
    const std::shared_ptr<const Model> borrowed(std::shared_ptr<const Model>(), &model);
    const LoadedModel loaded{"translations", borrowed, data.tokenizer};
    Translations result;
    result.pairs = heldOutPairs(data, settings.pairs);
    std::int64_t exact = 0;
    for (Translations::Pair& pair : result.pairs) {
        pair.written = translate(loaded, backend, pair.source, settings.beams, stop);
        result.bleu.add(charactersOf(pair.written), charactersOf(pair.reference));
        exact += pair.written == pair.reference ? 1 : 0;
    }
    if (!result.pairs.empty())
        result.exact = static_cast<double>(exact) / static_cast<double>(result.pairs.size());
    return result;
}

} // namespace headscope
