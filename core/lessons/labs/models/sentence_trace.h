#pragma once

#include "core/model/pass/tracer.h"

#include <stop_token>
#include <string>
#include <vector>

namespace headscope {

/// Forward pass of the open model on the user's sentence; of an encoder-decoder, only its encoder.
struct SentenceTrace
{
    TracePtr trace;
    Stack stack = Stack::Blocks;
    bool causal = true;

    const TokenSequence& tokens() const;
    std::vector<std::string> labels(const LoadedModel& model) const;
};

SentenceTrace traceSentence(const LoadedModel& model, const std::string& text,
                            std::unique_ptr<AttentionBackend> backend, const TraceRequest& request,
                            const std::stop_token& stop);

} // namespace headscope
