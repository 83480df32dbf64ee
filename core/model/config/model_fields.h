#pragma once

#include "core/model/config/model_config.h"
#include "core/model/positions/position_encodings.h"

#include <string_view>
#include <utility>
#include <vector>

// Names of all fields of a ModelConfig: one list for reading, writing and rejecting unknown keys.
// `Config` may be const; a visitor is called as field(key, member) or field(key, member, names).

namespace headscope {

template<class Enum>
using Names = std::vector<std::pair<std::string_view, Enum>>;

inline const Names<Architecture> kArchitectures{{"gpt", Architecture::Decoder},
                                                {"encoder", Architecture::Encoder},
                                                {"encoder-decoder", Architecture::EncoderDecoder}};
inline const Names<Positions> kPositions = [] {
    Names<Positions> names;
    for (const PositionEncoding* encoding : positionEncodings())
        names.emplace_back(encoding->traits().name, encoding->traits().kind);
    return names;
}();
inline const Names<Activation> kActivations{{"gelu", Activation::GeluExact},
                                            {"gelu_tanh", Activation::GeluTanh},
                                            {"relu", Activation::Relu},
                                            {"silu", Activation::Silu},
                                            {"swiglu", Activation::SwiGlu},
                                            {"geglu", Activation::GeGlu},
                                            {"geglu_exact", Activation::GeGluExact},
                                            {"swiglu_clamped", Activation::ClampedSwiGlu}};
inline const Names<Norm> kNorms{{"layer", Norm::Layer},
                                {"rms", Norm::Rms},
                                {"rms_unit_offset", Norm::RmsUnitOffset},
                                {"std_eps", Norm::StdEps},
                                {"batch", Norm::Batch}};
inline const Names<NormPosition> kNormPositions{{"pre", NormPosition::Pre},
                                                {"post", NormPosition::Post},
                                                {"output", NormPosition::Output},
                                                {"both", NormPosition::Both}};
inline const Names<QueryKeyNorm> kQueryKeyNorms{{"none", QueryKeyNorm::None},
                                                {"per_head", QueryKeyNorm::PerHead},
                                                {"own_per_head", QueryKeyNorm::OwnPerHead},
                                                {"whole", QueryKeyNorm::Whole}};
inline const Names<Initialisation> kInitialisations{{"normal", Initialisation::Normal},
                                                    {"fan_in", Initialisation::FanIn}};
inline const Names<RopeSettings::Layout> kRopeLayouts{
    {"half", RopeSettings::Layout::Half}, {"interleaved", RopeSettings::Layout::Interleaved}};
inline const Names<RopeSettings::Scaling> kRopeScalings{
    {"none", RopeSettings::Scaling::None},       {"linear", RopeSettings::Scaling::Linear},
    {"dynamic", RopeSettings::Scaling::Dynamic}, {"yarn", RopeSettings::Scaling::Yarn},
    {"llama3", RopeSettings::Scaling::Llama3},   {"longrope", RopeSettings::Scaling::LongRope}};

enum class Attention { MultiHead, GroupedQuery, MultiQuery, Latent };
inline const Names<Attention> kAttentions{{"mha", Attention::MultiHead},
                                          {"gqa", Attention::GroupedQuery},
                                          {"mqa", Attention::MultiQuery},
                                          {"mla", Attention::Latent}};

template<class Config, class Visitor>
void visitConfig(Config& c, Visitor& field)
{
    field("architecture", c.architecture, kArchitectures);
    field("vocab_size", c.vocabularySize);
    field("d_model", c.dModel);
    field("n_heads", c.heads);
    field("head_dim", c.headDimension);
    field("value_dim", c.valueDimension);
    field("n_layers", c.layers);
    field("n_decoder_layers", c.decoderLayers);
    field("d_ff", c.dFf);
    field("max_len", c.maxLen);
    field("positions", c.positions, kPositions);
    field("sinusoidal_base", c.sinusoidalBase);
    field("sinusoidal_halves", c.sinusoidalHalves);
    field("alibi_scaled", c.alibiScaled);
    field("relative_buckets", c.relativeBuckets);
    field("relative_max_distance", c.relativeMaxDistance);
    field("activation", c.activation, kActivations);
    field("norm", c.norm, kNorms);
    field("norm_position", c.normPosition, kNormPositions);
    field("norm_epsilon", c.normEpsilon);
    field("norm_bias", c.normBias);
    field("qk_norm", c.queryKeyNorm, kQueryKeyNorms);
    field("shared_norm", c.sharedNorm);
    field("residual_scale", c.residualScale);
    field("embedding_norm", c.embeddingNorm);
    field("window", c.window);
    field("soft_cap", c.softCap);
    field("attention_sinks", c.attentionSinks);
    field("attention_scale", c.attentionScale);
    field("logit_cap", c.logitCap);
    field("causal", c.causal);
    field("scale_scores", c.scaleScores);
    field("bias", c.bias);
    field("qkv_bias", c.queryKeyValueBias);
    field("head_bias", c.headBias);
    field("dropout", c.dropout);
    field("attention_dropout", c.attentionDropout);
    field("embedding_dropout", c.embeddingDropout);
    field("tie_embeddings", c.tieEmbeddings);
    field("share_source_embedding", c.shareSourceEmbedding);
    field("language_head", c.languageHead);
    field("token_types", c.tokenTypes);
    field("embedding_width", c.embeddingWidth);
    field("head_transform", c.headTransform);
    field("next_sentence", c.nextSentence);
    field("init_from", c.initialisation, kInitialisations);
    field("init_std", c.initStd);
}

template<class Rope, class Visitor>
void visitRope(Rope& rope, Visitor& field)
{
    field("theta", rope.theta);
    field("layout", rope.layout, kRopeLayouts);
    field("dimensions", rope.dimensions);
}

template<class Rope, class Visitor>
void visitScaling(Rope& rope, Visitor& field)
{
    field("kind", rope.scaling, kRopeScalings);
    field("factor", rope.factor);
    field("original_max_len", rope.originalMaxLen);
    field("low_frequency_factor", rope.lowFrequencyFactor);
    field("high_frequency_factor", rope.highFrequencyFactor);
    field("beta_fast", rope.betaFast);
    field("beta_slow", rope.betaSlow);
    field("attention_factor", rope.attentionFactor);
    field("short_factors", rope.shortFactors);
    field("long_factors", rope.longFactors);
    field("truncate", rope.truncates);
}

/// All but "rope", which is an object.
template<class Settings, class Visitor>
void visitLayer(Settings& layer, Visitor& field)
{
    field("window", layer.window);
    field("rotates", layer.rotates);
    field("d_ff", layer.dFf);
    field("has_experts", layer.hasExperts);
    field("norms_attention", layer.normsAttention);
}

template<class Latent, class Visitor>
void visitLatent(Latent& latent, Visitor& field)
{
    field("kv_rank", latent.keyValueRank);
    field("q_rank", latent.queryRank);
    field("rope_dim", latent.ropeDim);
    field("nope_dim", latent.nopeDim);
    field("value_dim", latent.valueDim);
}

template<class Experts, class Visitor>
void visitExperts(Experts& experts, Visitor& field)
{
    field("count", experts.count);
    field("top_k", experts.topK);
    field("width", experts.width);
    field("normalised", experts.normalised);
    field("router_bias", experts.routerBias);
    field("shared_width", experts.sharedWidth);
    field("shared_gate", experts.sharedGate);
    field("balance_coefficient", experts.balanceCoefficient);
}

} // namespace headscope
