#include "core/analysis/lens/next_sentence.h"

#include "core/analysis/lens/next_token.h"
#include "core/text/text_pair.h"

#include <cmath>

namespace headscope {

std::optional<double> followsProbability(const Trace& trace)
{
    const std::shared_ptr<const Tensor> logits = trace.find({Site::NextSentence, 0});
    if (!logits || logits->empty() || segmentsOf(trace.tokens()).empty() ||
        !areUsable(logits->values()))
        return std::nullopt;
    const TensorView row = logits->view()[0]; // follows, does not follow
    return 1.0 / (1.0 + std::exp(static_cast<double>(row(1)) - static_cast<double>(row(0))));
}

} // namespace headscope
