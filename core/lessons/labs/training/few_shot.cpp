#include "core/lessons/labs/training/few_shot.h"

#include "core/generate/generator.h"
#include "core/lessons/labs/lab_parts.h"

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr const char* kHappy = " happy";
constexpr const char* kSad = " sad";

TokenId labelToken(const LoadedModel& decoder, const char* label)
{
    const std::vector<TokenId> ids = decoder.tokenizer->encode(label, false).ids();
    if (ids.size() != 1)
        throw Error(fmt::format("the label \"{}\" is not one token of this model", label + 1),
                    decoder.name, "Choose builtin:stories");
    return ids.front();
}

/// Happy and sad ones in turn, either first.
std::vector<StoryEnding> pickExamples(std::span<const StoryEnding> pool, std::size_t count,
                                      Random& random)
{
    std::vector<StoryEnding> examples;
    bool isHappy = random.below(2) == 0;
    while (examples.size() < count) {
        const StoryEnding& example = random.pick(pool);
        if (example.isHappy != isHappy)
            continue;
        examples.push_back(example);
        isHappy = !isHappy;
    }
    return examples;
}

} // namespace

FewShot::FewShot(LoadedModel decoder, const LabContext& context)
    : m_decoder(std::move(decoder))
    , m_backend(backendOf(context))
    , m_happy(labelToken(m_decoder, kHappy))
    , m_sad(labelToken(m_decoder, kSad))
{
}

std::vector<TokenId> FewShot::prompt(std::span<const StoryEnding> examples,
                                     const StoryEnding& story) const
{
    std::string text;
    for (const StoryEnding& example : examples)
        text += fmt::format("{} {} was{}. ", example.text, example.name,
                            example.isHappy ? kHappy : kSad);
    text += fmt::format("{} {} was", story.text, story.name);
    std::vector<TokenId> ids = startOfText(m_decoder, {});
    for (const TokenId id : m_decoder.tokenizer->encode(text, false).ids())
        ids.push_back(id);
    const std::int64_t longest = m_decoder.model->config().maxLen;
    if (std::ssize(ids) > longest)
        throw Error(fmt::format("a prompt of {} tokens, the model takes {}", ids.size(), longest),
                    m_decoder.name, "Use fewer examples");
    return ids;
}

bool FewShot::saysHappy(std::span<const TokenId> prompt) const
{
    KvCache cache(m_decoder.model->config());
    ForwardOptions options;
    options.lastLogitsOnly = true;
    const Tensor logits = m_decoder.model->forward(prompt, *m_backend, cache, options);
    const TensorView last = logits.view()[logits.shape()[0] - 1];
    return last(m_happy) > last(m_sad);
}

double FewShot::accuracy(std::span<const StoryEnding> stories, std::span<const StoryEnding> pool,
                         std::size_t count, std::uint64_t seed, const std::stop_token& stop) const
{
    Random random(seed);
    std::size_t right = 0;
    for (const StoryEnding& story : stories) {
        throwIfStopped(stop);
        const std::vector<StoryEnding> examples = pickExamples(pool, count, random);
        right += saysHappy(prompt(examples, story)) == story.isHappy ? 1 : 0;
    }
    return static_cast<double>(right) / static_cast<double>(stories.size());
}

} // namespace headscope
