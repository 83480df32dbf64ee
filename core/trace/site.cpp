#include "core/trace/site.h"

#include <array>
#include <charconv>

namespace headscope {

namespace {

struct SiteName
{
    Site site;
    std::string_view name; ///< Name after "blocks.L." for sites of a layer.
    bool perLayer;
};

constexpr std::array<SiteName, 33> kSites{{
    {Site::Embed, "hook_embed", false},
    {Site::PosEmbed, "hook_pos_embed", false},
    {Site::ResidPre, "hook_resid_pre", true},
    {Site::Query, "attn.hook_q", true},
    {Site::Key, "attn.hook_k", true},
    {Site::Value, "attn.hook_v", true},
    {Site::Latent, "attn.hook_latent", true},
    {Site::RotaryKey, "attn.hook_k_rope", true},
    {Site::RotatedQuery, "attn.hook_rot_q", true},
    {Site::RotatedKey, "attn.hook_rot_k", true},
    {Site::AttnScores, "attn.hook_attn_scores", true},
    {Site::Pattern, "attn.hook_pattern", true},
    {Site::Z, "attn.hook_z", true},
    {Site::AttnOut, "hook_attn_out", true},
    {Site::ResidMid, "hook_resid_mid", true},
    {Site::CrossQuery, "cross_attn.hook_q", true},
    {Site::CrossKey, "cross_attn.hook_k", true},
    {Site::CrossValue, "cross_attn.hook_v", true},
    {Site::CrossScores, "cross_attn.hook_attn_scores", true},
    {Site::CrossPattern, "cross_attn.hook_pattern", true},
    {Site::CrossZ, "cross_attn.hook_z", true},
    {Site::CrossOut, "hook_cross_attn_out", true},
    {Site::ResidMidCross, "hook_resid_mid_cross", true},
    {Site::RouterProbs, "mlp.hook_router_probs", true},
    {Site::ExpertWeights, "mlp.hook_expert_weights", true},
    {Site::MlpPre, "mlp.hook_pre", true},
    {Site::MlpPreLinear, "mlp.hook_pre_linear", true},
    {Site::MlpPost, "mlp.hook_post", true},
    {Site::MlpOut, "hook_mlp_out", true},
    {Site::ResidPost, "hook_resid_post", true},
    {Site::LnFinal, "ln_final.hook_normalized", false},
    {Site::NextSentence, "next_sentence_logits", false},
    {Site::Logits, "logits", false},
}};

constexpr std::array<std::string_view, 3> kStacks{"blocks.", "encoder.", "decoder."};

const SiteName& entryOf(Site site)
{
    return kSites[static_cast<std::size_t>(site)];
}

std::optional<TraceKey> findSite(std::string_view name, bool perLayer, int layer, Stack stack)
{
    for (const SiteName& entry : kSites)
        if (entry.perLayer == perLayer && entry.name == name)
            return TraceKey{entry.site, layer, stack};
    return std::nullopt;
}

/// Parses "3.attn.hook_q", after the stack's prefix.
std::optional<TraceKey> parseLayerSite(std::string_view name, Stack stack)
{
    int layer = -1;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), layer);
    const std::size_t digits = end - name.data();
    const bool leadingZero = digits > 1 && name.front() == '0';
    if (error != std::errc{} || layer < 0 || leadingZero || digits >= name.size() ||
        name[digits] != '.')
        return std::nullopt;
    return findSite(name.substr(digits + 1), true, layer, stack);
}

std::string_view prefixOf(Stack stack)
{
    return kStacks[static_cast<std::size_t>(stack)];
}

} // namespace

bool isPerLayer(Site site)
{
    return entryOf(site).perLayer;
}

bool isScores(Site site)
{
    return site == Site::AttnScores || site == Site::CrossScores;
}

bool isPattern(Site site)
{
    return site == Site::Pattern || site == Site::CrossPattern;
}

bool hasQueryRowsPerHead(Site site)
{
    return isScores(site) || isPattern(site);
}

bool hasHeads(Site site)
{
    switch (site) {
    case Site::Query:
    case Site::Key:
    case Site::Value:
    case Site::RotatedQuery:
    case Site::RotatedKey:
    case Site::Z:
    case Site::CrossQuery:
    case Site::CrossKey:
    case Site::CrossValue:
    case Site::CrossZ:
        return true;
    default:
        return hasQueryRowsPerHead(site);
    }
}

bool hasSourceRows(Site site)
{
    return site == Site::CrossKey || site == Site::CrossValue;
}

bool hasSourceColumns(Site site)
{
    return site == Site::CrossScores || site == Site::CrossPattern;
}

bool isComputedAtOnce(TraceKey key)
{
    return key.stack == Stack::Encoder || hasSourceRows(key.site) || key.site == Site::NextSentence;
}

std::string toString(TraceKey key)
{
    const SiteName& entry = entryOf(key.site);
    std::string text;
    if (entry.perLayer)
        text = std::string(prefixOf(key.stack)) + std::to_string(key.layer) + ".";
    else if (key.stack == Stack::Encoder)
        text = prefixOf(Stack::Encoder);
    return text.append(entry.name);
}

std::optional<TraceKey> parseTraceKey(std::string_view name)
{
    for (const Stack stack : {Stack::Blocks, Stack::Encoder, Stack::Decoder}) {
        if (!name.starts_with(prefixOf(stack)))
            continue;
        name.remove_prefix(prefixOf(stack).size());
        if (const auto key = parseLayerSite(name, stack))
            return key;
        if (stack == Stack::Encoder)
            return findSite(name, false, 0, stack);
        return std::nullopt;
    }
    return findSite(name, false, 0, Stack::Blocks);
}

bool matchesGlob(std::string_view glob, std::string_view name)
{
    std::size_t g = 0;
    std::size_t n = 0;
    std::size_t star = std::string_view::npos; ///< Index of the last '*' seen.
    std::size_t resume = 0; ///< Index from which that star may match one more character.
    while (n < name.size()) {
        if (g < glob.size() && glob[g] == '*') {
            star = g++;
            resume = n;
        } else if (g < glob.size() && (glob[g] == '?' || glob[g] == name[n])) {
            ++g;
            ++n;
        } else if (star != std::string_view::npos) {
            g = star + 1;
            n = ++resume;
        } else {
            return false;
        }
    }
    while (g < glob.size() && glob[g] == '*')
        ++g;
    return g == glob.size();
}

} // namespace headscope
