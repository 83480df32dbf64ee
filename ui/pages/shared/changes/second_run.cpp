#include "ui/pages/shared/changes/second_run.h"

#include "core/attention/cpu_attention.h"
#include "core/generate/generator.h"
#include "core/model/pass/input_tokens.h"

namespace headscope::ui {

namespace {

bool hasTwoStacks(const Model& model)
{
    return model.config().isEncoderDecoder();
}

/// Trace of an unchanged model on another text, whose patterns are frozen in B.
TracePtr otherText(const LoadedModel& model, const RunText& text)
{
    const TraceRequest request{{"*hook_pattern", "*hook_embed"}};
    Tracer tracer(model, std::make_unique<CpuAttention>());
    const TokenSequence tokens = text.tokens ? *text.tokens
                                 : text.chat ? chatTokens(model, *text.chat)
                                             : model.tokenizer->encode(text.text);
    if (!hasTwoStacks(*model.model))
        return tracer.trace(tokens, request);
    TokenSequence target = model.tokenizer->encode(text.target, false);
    target.tokens.insert(target.tokens.begin(), {targetStart(model), {0, 0}, true});
    return tracer.trace({tokens, target}, request);
}

} // namespace

SecondRunContext secondRunContext(const Trace& a, const Trace& b, const LoadedModel& model)
{
    return {a, model, static_cast<std::int64_t>(b.tokens().size()),
            static_cast<std::int64_t>(b.sourceTokens().tokens.size()),
            [&model](const RunText& text) { return otherText(model, text); }};
}

} // namespace headscope::ui
