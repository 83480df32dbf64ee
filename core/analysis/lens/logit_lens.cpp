#include "core/analysis/lens/logit_lens.h"

#include "core/analysis/lens/lens_head.h"
#include "core/base/error.h"
#include "core/generate/sampling.h"

#include <algorithm>

namespace headscope {

Tensor lensLogits(const Model& model, TensorView stream)
{
    const LensHead head(model);
    Tensor logits({stream.shape[0], head.vocabulary()});
    head.logits(stream, logits.view());
    return logits;
}

LogitLens logitLens(const Model& model, const Trace& trace, const std::stop_token& stop)
{
    const Stack stack = model.config().mainStack();
    LogitLens lens;
    lens.layers = trace.layerCount(selfAttentionOf(stack));
    lens.tokens = static_cast<int>(trace.tokens().size());
    const auto cells =
        static_cast<std::size_t>(lens.layers) * static_cast<std::size_t>(lens.tokens);
    lens.ids.resize(cells);
    lens.probabilities.resize(cells);
    for (int layer = 0; layer < lens.layers; ++layer) {
        if (stop.stop_requested())
            throw Cancelled();
        const auto stream = trace.find({Site::ResidPost, layer, stack});
        if (!stream)
            return {};
        const Tensor logits = lensLogits(model, stream->view());
        for (int token = 0; token < lens.tokens; ++token) {
            const TensorView row = logits.view()[token];
            const auto width = static_cast<std::size_t>(row.shape[0]);
            const auto probabilities = samplingDistribution({row.data, width}, {});
            const auto best = std::max_element(probabilities.begin(), probabilities.end());
            lens.ids[lens.at(token, layer)] = static_cast<TokenId>(best - probabilities.begin());
            lens.probabilities[lens.at(token, layer)] = *best;
        }
    }
    return lens;
}

} // namespace headscope
