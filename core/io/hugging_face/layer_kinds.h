#pragma once

#include "core/io/hugging_face/config_reader.h"

#include <functional>

namespace headscope {

/// True for each layer of local attention: what "layer_types" says or, in older files, `isLocal`.
/// Empty for a number of layers that no model may have.
std::vector<bool> localLayers(const ConfigReader& json, const ModelConfig& config,
                              const std::function<bool(std::int64_t layer)>& isLocal);

/// Settings of all layers, as the model says.
std::vector<LayerSettings> layersOf(const ModelConfig& config);

/// Gives the model these layers; what is the same in all of them is written once.
void setLayers(ModelConfig& config, std::vector<LayerSettings> layers);

/// Gives the local layers the window `window`, and a rotation of their own where one is given.
void setWindows(ModelConfig& config, const std::vector<bool>& local, std::int64_t window,
                const std::optional<RopeSettings>& rope = {});

/// Gives the local layers the window `window`; the others have no positions (Cohere 2, EXAONE 4).
void setLocalRotation(ModelConfig& config, const std::vector<bool>& local, std::int64_t window);

/// Reads the windows of the Qwen families: "sliding_window", if "use_sliding_window", from layer
/// "max_window_layers" on.
void readQwenWindows(const ConfigReader& json, ModelConfig& config);

/// Reads which layers of Qwen's mixtures have experts: every "decoder_sparse_step"-th but those in
/// "mlp_only_layers".
void readQwenExpertLayers(const ConfigReader& json, ModelConfig& config);

} // namespace headscope
