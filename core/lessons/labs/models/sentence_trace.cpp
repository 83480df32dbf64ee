#include "core/lessons/labs/models/sentence_trace.h"

#include "core/generate/generator.h"
#include "core/lessons/labs/lab_parts.h"

#include <utility>

namespace headscope {

const TokenSequence& SentenceTrace::tokens() const
{
    return stack == Stack::Encoder ? trace->sourceTokens() : trace->tokens();
}

std::vector<std::string> SentenceTrace::labels(const LoadedModel& model) const
{
    return tokenLabels(model, tokens());
}

SentenceTrace traceSentence(const LoadedModel& model, const std::string& text,
                            std::unique_ptr<AttentionBackend> backend, const TraceRequest& request,
                            const std::stop_token& stop)
{
    const ModelConfig& config = model.model->config();
    Tracer tracer(model, std::move(backend));
    SentenceTrace result;
    result.causal = config.architecture == Architecture::Decoder && config.causal;
    if (!config.isEncoderDecoder()) {
        result.trace = tracer.trace(model.tokenizer->encode(text), request, {}, stop);
        return result;
    }
    result.stack = Stack::Encoder;
    SourceAndTarget texts;
    texts.source = model.tokenizer->encode(text);
    texts.target.tokens = {Token{targetStart(model), {}, true}};
    result.trace = tracer.trace(texts, request, {}, stop);
    return result;
}

} // namespace headscope
