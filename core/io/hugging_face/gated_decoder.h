#pragma once

#include "core/io/hugging_face/config_reader.h"
#include "core/io/hugging_face/parameter_name.h"

namespace headscope {

/// What a family means by leaving keys out.
struct GatedDefaults
{
    std::int64_t keyHeads = 0; ///< 0: as many as heads.
    std::int64_t headDim = 0;  ///< 0: d_model / heads.
    double theta = 10000.0;
    double epsilon = 1e-6;
    bool tied = false;
    double rotated = 1.0; ///< Rotated fraction of a head.
    const char* activationKey = "hidden_act";
    std::string activation = "silu";
};

/// Settings shared by Llama and the families after it: RMS norm, rotary positions, a gated
/// feed-forward network, no biases.
ModelConfig readGatedDecoder(const ConfigReader& json, const GatedDefaults& defaults = {});

/// Reads "attention_bias" and "mlp_bias", which describeBiases() takes apart.
void readBiases(const ConfigReader& json, ModelConfig& config);

/// Names of their parameters, as in Llama.
extern const PartNames kGatedDecoderNames;

/// The same with those of `changed` in place of Llama's.
PartNames gatedDecoderNames(const PartNames& changed);

} // namespace headscope
