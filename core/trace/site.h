#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace headscope {

/// Observation points of a decoder, in execution order. Names on disk are TransformerLens's.
enum class Site {
    Embed,      ///< hook_embed [n, d]: token embedding
    PosEmbed,   ///< hook_pos_embed [n, d]
    ResidPre,   ///< blocks.L.hook_resid_pre [n, d]
    Query,      ///< blocks.L.attn.hook_q [n, h, d_k]
    Key,        ///< blocks.L.attn.hook_k [n, h_kv, d_k]
    Value,      ///< blocks.L.attn.hook_v [n, h_kv, d_k]
    AttnScores, ///< blocks.L.attn.hook_attn_scores [h, n, m]; masked cells hold -inf
    Pattern,    ///< blocks.L.attn.hook_pattern [h, n, m]
    Z,          ///< blocks.L.attn.hook_z [n, h, d_k]: pattern times values
    AttnOut,    ///< blocks.L.hook_attn_out [n, d]
    ResidMid,   ///< blocks.L.hook_resid_mid [n, d]
    MlpPre,     ///< blocks.L.mlp.hook_pre [n, d_ff]
    MlpPost,    ///< blocks.L.mlp.hook_post [n, d_ff]
    MlpOut,     ///< blocks.L.hook_mlp_out [n, d]
    ResidPost,  ///< blocks.L.hook_resid_post [n, d]
    LnFinal,    ///< ln_final.hook_normalized [n, d]
    Logits,     ///< logits [n, V]
};

/// One activation: a site, and its layer (0 for the sites outside the blocks).
struct TraceKey
{
    Site site = Site::Logits;
    int layer = 0;

    friend auto operator<=>(const TraceKey&, const TraceKey&) = default;
};

bool isPerLayer(Site site);

/// True for AttnScores and Pattern, whose rows are [h, n, m] with queries in the middle.
bool hasQueryRowsPerHead(Site site);

std::string toString(TraceKey key);                           ///< "blocks.0.attn.hook_pattern"
std::optional<TraceKey> parseTraceKey(std::string_view name); ///< inverse of toString

/// `*` stands for any run of characters (dots too), `?` for one; everything else for itself.
bool matchesGlob(std::string_view glob, std::string_view name);

/// False for a glob that names no activation of a model with that many layers: a typing mistake.
bool globCanMatchSite(std::string_view glob, int layers);

} // namespace headscope
