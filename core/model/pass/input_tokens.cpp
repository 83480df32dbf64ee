#include "core/model/pass/input_tokens.h"

#include "core/text/text_pair.h"

namespace headscope {

namespace {

/// True for a tokenizer that adds tokens before and after a text, which separate two texts.
bool surroundsTexts(const Tokenizer& tokenizer)
{
    const TokenSequence none = tokenizer.encode("");
    return none.size() >= 2 && none.tokens.front().special && none.tokens.back().special;
}

} // namespace

bool readsPairs(const LoadedModel& model)
{
    return model.model && model.tokenizer &&
           model.model->config().architecture == Architecture::Encoder &&
           model.model->config().tokenTypes > 1 && surroundsTexts(*model.tokenizer);
}

TokenSequence inputTokens(const LoadedModel& model, std::string_view text, std::string_view second)
{
    return !second.empty() && readsPairs(model) ? encodePair(*model.tokenizer, text, second)
                                                : model.tokenizer->encode(text);
}

} // namespace headscope
