#pragma once

#include "core/model/config/model_config.h"
#include "core/trace/site.h"

#include <optional>

namespace headscope {

/// Extents that a site's shape depends on besides the configuration.
struct SiteExtents
{
    std::int64_t tokens = 0;                ///< Tokens of the text, or of the target.
    std::int64_t sourceTokens = 0;          ///< Tokens of an encoder-decoder's source.
    std::optional<Positions> replaced = {}; ///< Positions that replace the model's own.
};

/// Shape of an activation; nothing where the model has no such site.
std::optional<Shape> siteShape(const ModelConfig& config, TraceKey key, const SiteExtents& extents);

/// Layers of one stack; 0 where the model has no such stack.
std::int64_t layerCount(const ModelConfig& config, Stack stack);

} // namespace headscope
