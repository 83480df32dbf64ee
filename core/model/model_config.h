#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace headscope {

enum class Positions { None, Sinusoidal, Learned };
enum class Activation { Relu, GeluExact, GeluTanh };
enum class Initialisation {
    Normal, ///< N(0, initStd) for every matrix, zero biases (GPT-2)
    FanIn,  ///< N(0, 1 / sqrt(fan_in)) for matrices, N(0, 1 / sqrt(d_model)) for embeddings
};

/// Everything that decides the shape and the arithmetic of a decoder-only pre-LN transformer.
struct ModelConfig
{
    std::int64_t vocabularySize = 0;
    std::int64_t dModel = 256;
    std::int64_t heads = 8;
    std::int64_t layers = 6;
    std::int64_t dFf = 1024; ///< 0: blocks without a feed-forward part
    std::int64_t maxLen = 512;
    Positions positions = Positions::Learned;
    double sinusoidalBase = 10000.0;
    Activation activation = Activation::GeluExact;
    double normEpsilon = 1e-5;
    double dropout = 0.0; ///< on attention weights, sublayer outputs and embeddings
    bool tieEmbeddings = true;
    double embeddingScale = 1.0; ///< multiplies token embeddings before the positions are added
    Initialisation initialisation = Initialisation::Normal;
    double initStd = 0.02;

    std::int64_t headDim() const { return dModel / heads; }

    /// Throws Error naming the field, its value and the allowed range.
    void validate() const;

    friend bool operator==(const ModelConfig&, const ModelConfig&) = default;
};

/// The `model` object of a training configuration and of a checkpoint. Unknown keys are refused
/// with the nearest known name; `where` names the file in errors. Every range is checked here,
/// before anything is allocated; without a `vocab_size` the vocabulary stays 0 (the tokenizer
/// decides it), without a `d_ff` it is 4 d_model.
ModelConfig modelConfigFromJson(const nlohmann::json& json, const std::string& where);
nlohmann::json toJson(const ModelConfig& config);

} // namespace headscope
