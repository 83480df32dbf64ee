#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <compare> // last: moc of Qt 6.4 fails where <concepts> comes first

namespace headscope {

/// Observation points of a transformer, in execution order. Names on disk are those of
/// TransformerLens where it has one.
enum class Site {
    Embed,         ///< hook_embed [n, d]: token embedding
    PosEmbed,      ///< hook_pos_embed [n, d]
    ResidPre,      ///< hook_resid_pre [n, d]
    Query,         ///< attn.hook_q [n, h, d_k], before any rotation
    Key,           ///< attn.hook_k [n, h_kv, d_k]
    Value,         ///< attn.hook_v [n, h_kv, d_k]
    Latent,        ///< attn.hook_latent [n, r]: the cached latent of latent attention
    RotaryKey,     ///< attn.hook_k_rope [n, d_rope]: latent attention's shared rotated key
    RotatedQuery,  ///< attn.hook_rot_q [n, h, d_k], rotary positions only
    RotatedKey,    ///< attn.hook_rot_k [n, h_kv, d_k], rotary positions only
    AttnScores,    ///< attn.hook_attn_scores [h, n, m]; masked cells hold -inf
    Pattern,       ///< attn.hook_pattern [h, n, m]
    Z,             ///< attn.hook_z [n, h, d_k]: pattern times values
    AttnOut,       ///< hook_attn_out [n, d]
    ResidMid,      ///< hook_resid_mid [n, d]
    CrossQuery,    ///< cross_attn.hook_q [n, h, d_k]
    CrossKey,      ///< cross_attn.hook_k [m, h_kv, d_k] of the m source tokens
    CrossValue,    ///< cross_attn.hook_v [m, h_kv, d_k]
    CrossScores,   ///< cross_attn.hook_attn_scores [h, n, m]
    CrossPattern,  ///< cross_attn.hook_pattern [h, n, m]
    CrossZ,        ///< cross_attn.hook_z [n, h, d_k]
    CrossOut,      ///< hook_cross_attn_out [n, d]
    ResidMidCross, ///< hook_resid_mid_cross [n, d]
    RouterProbs,   ///< mlp.hook_router_probs [n, experts]
    ExpertWeights, ///< mlp.hook_expert_weights [n, experts]; 0 where not chosen
    MlpPre,        ///< mlp.hook_pre [n, d_ff]: pre-activation, or the gate of a gated activation
    MlpPreLinear,  ///< mlp.hook_pre_linear [n, d_ff]: the branch that the gate multiplies
    MlpPost,       ///< mlp.hook_post [n, d_ff]
    MlpOut,        ///< hook_mlp_out [n, d]
    ResidPost,     ///< hook_resid_post [n, d]
    LnFinal,       ///< ln_final.hook_normalized [n, d]
    NextSentence,  ///< next_sentence_logits [1, 2]
    Logits,        ///< logits [n, V]
};

/// Stack of blocks: "blocks.L." in models with one stack, "encoder.L." and "decoder.L." in
/// encoder-decoders. Sites outside the blocks belong to Blocks (the decoder's too) or to Encoder
/// ("encoder.hook_embed").
enum class Stack { Blocks, Encoder, Decoder };

/// One activation: a site, its layer (0 for sites outside the blocks) and its stack.
struct TraceKey
{
    Site site = Site::Logits;
    int layer = 0;
    Stack stack = Stack::Blocks;

    friend auto operator<=>(const TraceKey&, const TraceKey&) = default;
};

bool isPerLayer(Site site);

bool isScores(Site site);  ///< True for the scores of self-attention and of cross-attention.
bool isPattern(Site site); ///< True for their patterns.

/// True for scores and patterns, whose rows are [h, n, m] with queries in the middle.
bool hasQueryRowsPerHead(Site site);

/// True for sites with an axis of heads: scores and patterns [h, n, m], the others [n, h,
/// channels].
bool hasHeads(Site site);

/// True for sites whose rows are the source tokens (CrossKey, CrossValue).
bool hasSourceRows(Site site);

/// True for sites whose columns are the source tokens (CrossScores, CrossPattern).
bool hasSourceColumns(Site site);

/// True for sites that are computed once and never grow with the typed tokens: those of an
/// encoder-decoder's encoder, source rows and NextSentence.
bool isComputedAtOnce(TraceKey key);

std::string toString(TraceKey key); ///< Text such as "blocks.0.attn.hook_pattern".
std::optional<TraceKey> parseTraceKey(std::string_view name); ///< Inverse of toString.

/// Matches `*` with any characters (dots too), `?` with one, and everything else with itself.
bool matchesGlob(std::string_view glob, std::string_view name);

} // namespace headscope
