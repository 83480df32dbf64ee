#pragma once

#include "core/model/config/model_config.h"
#include "core/trace/site.h"

#include <optional>

namespace headscope {

/// What a site's shape depends on besides the configuration.
struct SiteExtents
{
    std::int64_t tokens = 0;                ///< of the text, or of the target
    std::int64_t sourceTokens = 0;          ///< of an encoder-decoder
    std::optional<Positions> replaced = {}; ///< positions in place of the model's own
};

/// Shape of that activation; nothing where such a model has no such site.
std::optional<Shape> siteShape(const ModelConfig& config, TraceKey key, const SiteExtents& extents);

/// Layers of one stack of that model; 0 of a stack that it does not have.
std::int64_t layerCount(const ModelConfig& config, Stack stack);

} // namespace headscope
