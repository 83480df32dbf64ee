#include "core/train/measures/gradient_norms.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace headscope {

namespace {

/// Part of a parameter: "h.0.attn.q.weight" -> "h.0".
std::string layerOf(const std::string& parameter)
{
    for (const std::string_view block : {"h.", "enc.", "dec."}) {
        if (!parameter.starts_with(block))
            continue;
        const std::size_t end = parameter.find_first_not_of("0123456789", block.size());
        if (end != block.size() && end != std::string::npos && parameter[end] == '.')
            return parameter.substr(0, end);
    }
    const bool isEmbedding = parameter.find("_emb") != std::string::npos ||
                             parameter.find("rel_bias") != std::string::npos;
    return isEmbedding ? "embeddings" : "head";
}

} // namespace

std::vector<GradientNorm> normsByLayer(const ParameterSet& gradients)
{
    std::vector<GradientNorm> norms;
    for (const ParameterSpec& spec : gradients.specs()) {
        const std::string layer = layerOf(spec.name);
        auto found = std::ranges::find(norms, layer, &GradientNorm::layer);
        if (found == norms.end())
            found = norms.insert(norms.end(), {layer, 0.0});
        const TensorView view = gradients.view(spec);
        for (std::int64_t i = 0; i < view.shape.elementCount(); ++i)
            found->norm += static_cast<double>(view.data[i]) * static_cast<double>(view.data[i]);
    }
    for (GradientNorm& norm : norms)
        norm.norm = std::sqrt(norm.norm);
    return norms;
}

} // namespace headscope
