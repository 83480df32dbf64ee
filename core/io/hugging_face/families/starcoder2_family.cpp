#include "core/io/hugging_face/families/families.h"

#include "core/io/hugging_face/gated_decoder.h"

namespace headscope {

namespace {

const PartNames kStarcoder2Names =
    gatedDecoderNames({{"fc1", "layers.{}.mlp.c_fc"}, {"fc2", "layers.{}.mlp.c_proj"}});

/// Llama's attention with biases, LayerNorm and a plain feed-forward network.
ModelConfig readStarcoder2(const ConfigReader& json)
{
    ModelConfig config =
        readGatedDecoder(json, {.keyHeads = 2, .tied = true, .activation = "gelu_pytorch_tanh"});
    config.activation = json.choice("hidden_act", "gelu_pytorch_tanh", plainActivations());
    config.norm = Norm::Layer;
    config.normEpsilon = json.number("norm_epsilon", 1e-5);
    config.bias = json.flag("use_bias", true);
    if (json.has("sliding_window"))
        config.window = json.integer("sliding_window");
    config.dropout = json.number("residual_dropout", 0.0);
    config.embeddingDropout = json.number("embedding_dropout", 0.0);
    return config;
}

} // namespace

const HuggingFaceFamily kStarcoder2Family{.modelType = "starcoder2",
                                          .readConfig = readStarcoder2,
                                          .names = kStarcoder2Names,
                                          .typical = R"({"sliding_window": 4096})"};

} // namespace headscope
