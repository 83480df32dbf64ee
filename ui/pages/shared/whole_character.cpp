#include "ui/pages/shared/whole_character.h"

#include "core/attention/cpu_attention.h"
#include "core/text/utf8.h"

namespace headscope::ui {

namespace {

constexpr int kMostTokens = 4; ///< Bytes of the longest character.

void append(TokenSequence& tokens, TokenId id, const std::string& bytes)
{
    const std::size_t begin = tokens.text.size();
    tokens.text += bytes;
    tokens.tokens.push_back({id, {begin, tokens.text.size()}, false});
}

} // namespace

bool isWholeText(std::string_view bytes)
{
    std::size_t position = 0;
    while (position < bytes.size()) {
        const Utf8Character character = utf8CharacterAt(bytes, position);
        if (!character.valid)
            return false;
        position += character.length;
    }
    return true;
}

DrawnCharacter finishCharacter(const LoadedModel& model, const TokenSequence& before, TokenId first,
                               const SamplingSettings& settings,
                               const std::function<double(int)>& draw)
{
    Tracer tracer(model, std::make_unique<CpuAttention>());
    TraceRequest lastLogits{{"logits"}};
    lastLogits.activationBudget = 0; // only the last row is read
    TokenSequence tokens = before;
    DrawnCharacter drawn;
    TokenId next = first;
    for (int count = 1; count <= kMostTokens; ++count) {
        if (model.tokenizer->isSpecial(next))
            return drawn;
        const std::string bytes = model.tokenizer->tokenBytes(next);
        append(tokens, next, bytes);
        drawn.ids.push_back(next);
        drawn.bytes += bytes;
        drawn.isWhole = isWholeText(drawn.bytes);
        const bool full = static_cast<std::int64_t>(tokens.size()) >= model.model->config().maxLen;
        if (drawn.isWhole || full)
            return drawn;
        const TracePtr trace = tracer.trace(tokens, lastLogits);
        const ActivationRows logits =
            trace->findRows({Site::Logits, 0}, trace->tokens().size() - 1);
        next = sampleAt(samplingDistribution(logits[0], settings), draw(count));
    }
    return drawn;
}

} // namespace headscope::ui
