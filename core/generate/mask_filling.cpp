#include "core/generate/mask_filling.h"

#include "core/base/error.h"
#include "core/text/mask_token.h"
#include "core/text/text_pair.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

constexpr const char* kWhere = "fillMasks";

TokenId requiredMask(const LoadedModel& model)
{
    if (!model.model || model.model->config().hasDecoder())
        throw Error("only an encoder fills in masked words", kWhere, "Choose an encoder");
    if (!model.model->config().languageHead)
        throw Error("this encoder has no head that predicts tokens", kWhere,
                    "Choose an encoder with a masked-language head");
    const auto mask = model.tokenizer ? maskToken(*model.tokenizer) : std::nullopt;
    if (!mask)
        throw Error("this encoder's vocabulary has no mask token", kWhere,
                    "Choose an encoder with a token [MASK] or <mask>");
    return *mask;
}

} // namespace

FilledText fillMasks(const LoadedModel& model, AttentionBackend& backend, const TokenSequence& text,
                     const GenerationSettings& settings, std::stop_token stop)
{
    validate(settings.sampling);
    const TokenId mask = requiredMask(model);
    const bool isPair = model.model->config().tokenTypes > 1;
    const std::vector<std::int32_t> segments =
        isPair ? segmentsOf(text) : std::vector<std::int32_t>();
    ForwardOptions options;
    options.segments = segments;
    options.stop = std::move(stop);
    FilledText filled;
    filled.ids = text.ids();
    std::vector<std::int64_t> masks;
    for (std::int64_t i = 0; i < std::ssize(filled.ids); ++i)
        if (filled.ids[static_cast<std::size_t>(i)] == mask)
            masks.push_back(i);
    if (masks.empty())
        throw Error("the text has no masked word", kWhere,
                    fmt::format("Write {} in place of a word", model.tokenizer->tokenText(mask)));
    const auto most = static_cast<std::size_t>(std::max<std::int64_t>(settings.maxTokens, 0));
    filled.remaining = std::ssize(masks);
    masks.resize(std::min(masks.size(), most));
    filled.remaining -= std::ssize(masks);
    Random random(settings.seed);
    for (const std::int64_t position : masks) {
        KvCache cache(model.model->config());
        const Tensor logits = model.model->forward(filled.ids, backend, cache, options);
        const TensorView row = logits.view()[position];
        const std::vector<float> probabilities = samplingDistribution(
            {row.data, static_cast<std::size_t>(row.shape[0])}, settings.sampling, filled.ids);
        FilledMask one{position, {}};
        one.step.id = sample(probabilities, random);
        one.step.candidates =
            topCandidates(probabilities, settings.topCandidates, model.tokenizer.get());
        filled.ids[static_cast<std::size_t>(position)] = one.step.id;
        filled.masks.push_back(std::move(one));
    }
    return filled;
}

} // namespace headscope
