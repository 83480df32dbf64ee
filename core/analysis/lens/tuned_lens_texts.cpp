// Texts to train a tuned lens on: given ones, and what the model itself writes.
#include "core/analysis/lens/tuned_lens_texts.h"

#include "core/analysis/lens/tuned_lens_training.h"
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/generate/generator.h"

#include <algorithm>

namespace headscope {

namespace {

constexpr std::int64_t kLongestWritten = 64; ///< tokens of one text
constexpr double kRewritten = 0.3;           ///< share of an encoder's tokens
constexpr double kExchanged = 0.3;           ///< share of a source's tokens

TokenSequence sequenceOf(std::span<const TokenId> ids)
{
    TokenSequence sequence;
    for (const TokenId id : ids)
        sequence.tokens.push_back({id, {}, false});
    return sequence;
}

class TextWriter
{
public:
    TextWriter(const LoadedModel& model, const std::vector<SourceAndTarget>& given,
               std::uint64_t seed, std::stop_token stop)
        : m_model(model)
        , m_given(given)
        , m_last(given)
        , m_random(seed, 3)
        , m_stop(std::move(stop))
    {
    }

    SourceAndTarget next()
    {
        switch (m_model.model->config().architecture) {
        case Architecture::Encoder:
            return rewritten();
        case Architecture::EncoderDecoder:
            return answered();
        default:
            return continued();
        }
    }

private:
    /// What the model makes of a prompt; the last token may be one too many to be read again.
    TokenSequence written(std::span<const TokenId> prompt, std::int64_t tokens)
    {
        GenerationSettings settings;
        settings.maxTokens = tokens;
        settings.seed = m_random.bits();
        settings.topCandidates = 0;
        std::vector<TokenId> ids = generate(m_model, m_backend, prompt, settings, {}, m_stop).ids;
        ids.resize(std::min(ids.size(), static_cast<std::size_t>(m_model.model->config().maxLen)));
        return sequenceOf(ids);
    }

    /// A beginning of a given text, or every third time of none, and how the model goes on.
    SourceAndTarget continued()
    {
        std::vector<TokenId> prompt;
        if (!m_given.empty() && m_random.below(3) != 0)
            prompt = m_random.pick(m_given).target.ids();
        prompt.resize(prompt.empty() ? 0 : 1 + m_random.below(prompt.size()));
        const std::int64_t room = m_model.model->config().maxLen - 1;
        const auto begun = static_cast<std::int64_t>(prompt.size());
        if (begun > room / 2)
            prompt.resize(static_cast<std::size_t>(std::max<std::int64_t>(room / 2, 1)));
        return {{}, written(prompt, std::min(kLongestWritten, room))};
    }

    SourceAndTarget answered()
    {
        const TokenSequence& source = m_random.pick(m_given).source;
        std::vector<TokenId> ids = source.ids();
        const std::vector<TokenId> others = m_random.pick(m_given).source.ids();
        for (TokenId& id : ids)
            if (m_random.uniform() < kExchanged && !isSpecial(id))
                id = exchanged(id, others);
        return {sequenceOf(ids), written(ids, kLongestWritten)};
    }

    TokenId exchanged(TokenId id, const std::vector<TokenId>& others)
    {
        const TokenId other = m_random.pick(others);
        return isSpecial(other) ? id : other;
    }

    /// The text of the turn before with some of its tokens chosen anew by the model.
    SourceAndTarget rewritten()
    {
        SourceAndTarget& text = m_last[m_random.below(m_last.size())];
        std::vector<TokenId> ids = text.target.ids();
        ids.resize(std::min(ids.size(), static_cast<std::size_t>(m_model.model->config().maxLen)));
        std::vector<std::size_t> chosen;
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (!isSpecial(ids[i]) && m_random.uniform() < kRewritten)
                chosen.push_back(i);
        std::vector<TokenId> hidden = ids;
        const auto mask = m_model.tokenizer ? m_model.tokenizer->find("[MASK]") : std::nullopt;
        for (const std::size_t place : chosen)
            hidden[place] = mask.value_or(hidden[place]);
        KvCache cache(m_model.model->config());
        const Tensor logits = m_model.model->forward(hidden, m_backend, cache, nullptr, {}, m_stop);
        for (const std::size_t place : chosen) {
            const TensorView row = logits.view()[static_cast<std::int64_t>(place)];
            const auto width = static_cast<std::size_t>(row.shape[0]);
            ids[place] = sample(samplingDistribution({row.data, width}, {}), m_random);
        }
        text.target = sequenceOf(ids);
        return text;
    }

    bool isSpecial(TokenId id) const
    {
        return m_model.tokenizer && m_model.tokenizer->isSpecial(id);
    }

    LoadedModel m_model;
    const std::vector<SourceAndTarget>& m_given;
    std::vector<SourceAndTarget> m_last;
    Random m_random;
    std::stop_token m_stop;
    CpuAttention m_backend;
};

std::int64_t tokensIn(const std::vector<SourceAndTarget>& texts)
{
    std::int64_t tokens = 0;
    for (const SourceAndTarget& text : texts)
        tokens += static_cast<std::int64_t>(text.target.size());
    return tokens;
}

} // namespace

std::vector<SourceAndTarget> lensTexts(const LoadedModel& model, std::vector<SourceAndTarget> given,
                                       const TunedLensSettings& settings,
                                       const TokensProgress& progress, const std::stop_token& stop)
{
    const ModelConfig& config = model.model->config();
    const bool twoStacks = config.isEncoderDecoder();
    std::erase_if(given, [twoStacks](const SourceAndTarget& text) {
        return (twoStacks ? text.source : text.target).size() == 0;
    });
    if (given.empty() && config.architecture != Architecture::Decoder)
        throw Error("there is no text to begin with", "tuned lens", "Type a sentence first");
    std::vector<SourceAndTarget> texts = given;
    if (twoStacks) // a source alone has no answer yet
        std::erase_if(texts, [](const SourceAndTarget& text) { return text.target.size() == 0; });
    TextWriter writer(model, given, settings.seed, stop);
    std::int64_t tokens = tokensIn(texts);
    while (tokens < settings.tokens) {
        if (stop.stop_requested())
            throw Cancelled();
        texts.push_back(writer.next());
        tokens += std::max<std::int64_t>(static_cast<std::int64_t>(texts.back().target.size()), 1);
        if (progress)
            progress(std::min(tokens, settings.tokens), settings.tokens);
    }
    return texts;
}

} // namespace headscope
