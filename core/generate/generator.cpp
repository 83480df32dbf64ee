#include "core/generate/generator.h"

#include "core/text/display_text.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace headscope {

namespace {

std::string textOf(const Tokenizer* tokenizer, TokenId id)
{
    if (tokenizer == nullptr || static_cast<std::size_t>(id) >= tokenizer->vocabularySize())
        return {};
    return displayText(tokenizer->tokenBytes(id));
}

} // namespace

std::vector<Candidate> topCandidates(std::span<const float> probabilities, int count,
                                     const Tokenizer* tokenizer)
{
    std::vector<TokenId> order(probabilities.size());
    std::iota(order.begin(), order.end(), 0);
    const auto wanted = std::min(static_cast<std::size_t>(std::max(count, 0)), order.size());
    const auto probability = [&](TokenId id) {
        return probabilities[static_cast<std::size_t>(id)];
    };
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(wanted),
                      order.end(), [&](TokenId a, TokenId b) {
                          return std::pair(-probability(a), a) < std::pair(-probability(b), b);
                      });
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < wanted && probability(order[i]) > 0.0F; ++i)
        candidates.push_back(
            {order[i], textOf(tokenizer, order[i]), static_cast<double>(probability(order[i]))});
    return candidates;
}

std::string knownText(const Tokenizer& tokenizer, std::vector<TokenId> ids)
{
    std::erase_if(ids, [&](TokenId id) {
        return static_cast<std::size_t>(id) >= tokenizer.vocabularySize();
    });
    return tokenizer.decode(ids, true);
}

std::vector<TokenId> startOfText(const LoadedModel& model, std::span<const TokenId> prompt)
{
    if (!prompt.empty())
        return {prompt.begin(), prompt.end()};
    const auto end = model.tokenizer ? model.tokenizer->endOfText() : std::nullopt;
    return {end.value_or(0)};
}

std::optional<TokenId> endOfText(const LoadedModel& model)
{
    if (!model.tokenizer)
        return std::nullopt;
    const auto end = model.tokenizer->endOfText();
    return end ? end : model.tokenizer->find("<eos>");
}

TokenId targetStart(const LoadedModel& model)
{
    for (const char* name : {"<bos>", "<pad>"})
        if (const auto id = model.tokenizer ? model.tokenizer->find(name) : std::nullopt)
            return *id;
    return 0;
}

DecodingStart startDecoding(const LoadedModel& model, AttentionBackend& backend,
                            std::span<const TokenId> prompt, std::optional<TokenId> answerStart,
                            const std::stop_token& stop, Products products)
{
    std::vector<TokenId> text = startOfText(model, prompt);
    if (model.model && model.model->config().isEncoderDecoder())
        return {DecodingState(model.model, backend, text, stop, products),
                {answerStart.value_or(targetStart(model))}};
    return {DecodingState(model.model, backend, {}, {}, products), std::move(text)};
}

Generation generate(const LoadedModel& model, AttentionBackend& backend,
                    std::span<const TokenId> prompt, const GenerationSettings& settings,
                    const std::function<void(const GenerationStep&)>& onStep, std::stop_token stop)
{
    validate(settings.sampling);
    DecodingStart start =
        startDecoding(model, backend, prompt, settings.targetStart, stop, settings.products);
    const Tokenizer* tokenizer = model.tokenizer.get();
    const auto end = endOfText(model);
    Generation result;
    result.ids = std::move(start.ids);
    Random random(settings.seed);
    for (std::int64_t made = 0; made < settings.maxTokens; ++made) {
        if (start.state.room(result.ids.size()) == 0) {
            result.end = GenerationEnd::MaxLen;
            break;
        }
        const std::vector<float> probabilities = samplingDistribution(
            start.state.logitsAfter(result.ids, stop).values(), settings.sampling, result.ids);
        GenerationStep step;
        step.id = sample(probabilities, random);
        step.candidates = topCandidates(probabilities, settings.topCandidates, tokenizer);
        result.ids.push_back(step.id);
        if (onStep)
            onStep(step);
        result.steps.push_back(std::move(step));
        if (settings.stopAtEndOfText && end == result.ids.back()) {
            result.end = GenerationEnd::EndOfText;
            break;
        }
    }
    if (tokenizer)
        result.text = knownText(*tokenizer, result.ids);
    return result;
}

} // namespace headscope
