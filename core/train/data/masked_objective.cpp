#include "core/train/data/masked_objective.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

void checkSettings(const MaskingSettings& settings)
{
    const auto isFraction = [](double value) { return value >= 0.0 && value <= 1.0; };
    if (!isFraction(settings.fraction) || !isFraction(settings.masked) ||
        !isFraction(settings.replaced) || settings.masked + settings.replaced > 1.0 + 1e-9)
        throw Error(fmt::format("fractions of {} chosen, {} masked and {} replaced tokens are "
                                "not valid",
                                settings.fraction, settings.masked, settings.replaced),
                    "maskTokens", "Use 0.15, 0.8 and 0.1");
    if (settings.vocabularySize <= std::ssize(settings.specialTokens))
        throw Error("the vocabulary has only special tokens", "maskTokens");
}

class Masking
{
public:
    Masking(const MaskingSettings& settings, Random& random)
        : m_settings(settings)
        , m_random(random)
    {
    }

    bool mayChange(TokenId token) const
    {
        const auto& special = m_settings.specialTokens;
        return token != m_settings.maskToken && std::ranges::find(special, token) == special.end();
    }

    void change(TokenId& token)
    {
        const double draw = m_random.uniform();
        if (draw < m_settings.masked)
            token = m_settings.maskToken;
        else if (draw < m_settings.masked + m_settings.replaced)
            token = anyToken();
    }

private:
    TokenId anyToken()
    {
        TokenId token = 0;
        do
            token = static_cast<TokenId>(
                m_random.below(static_cast<std::uint64_t>(m_settings.vocabularySize)));
        while (!mayChange(token));
        return token;
    }

    const MaskingSettings& m_settings;
    Random& m_random;
};

} // namespace

void maskTokens(const MaskingSettings& settings, Random& random, Batch& batch)
{
    checkSettings(settings);
    Masking masking(settings, random);
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < batch.inputs.size(); ++i) {
        if (masking.mayChange(batch.inputs[i]))
            candidates.push_back(i);
    }
    if (candidates.empty())
        throw Error("the batch has no token that may be masked", "maskTokens");
    batch.targets.assign(batch.inputs.size(), kIgnoredTarget);
    const auto choose = [&](std::size_t position) {
        batch.targets[position] = batch.inputs[position];
        masking.change(batch.inputs[position]);
    };
    bool any = false;
    for (const std::size_t position : candidates) {
        if (random.uniform() >= settings.fraction)
            continue;
        choose(position);
        any = true;
    }
    if (!any)
        choose(random.pick(candidates));
}

} // namespace headscope
