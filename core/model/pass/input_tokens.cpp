#include "core/model/pass/input_tokens.h"

#include "core/text/text_pair.h"

namespace headscope {

bool readsPairs(const LoadedModel& model)
{
    return model.model && model.tokenizer &&
           model.model->config().architecture == Architecture::Encoder &&
           model.model->config().tokenTypes > 1 && separatesTexts(*model.tokenizer);
}

TokenSequence inputTokens(const LoadedModel& model, std::string_view text, std::string_view second)
{
    return !second.empty() && readsPairs(model) ? encodePair(*model.tokenizer, text, second)
                                                : model.tokenizer->encode(text);
}

} // namespace headscope
