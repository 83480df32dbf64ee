#include "core/trace/site.h"

#include <array>
#include <charconv>

namespace headscope {

namespace {

struct SiteName
{
    Site site;
    std::string_view name; ///< after "blocks.L." where the site is per layer
    bool perLayer;
};

constexpr std::array<SiteName, 17> kSites{{
    {Site::Embed, "hook_embed", false},
    {Site::PosEmbed, "hook_pos_embed", false},
    {Site::ResidPre, "hook_resid_pre", true},
    {Site::Query, "attn.hook_q", true},
    {Site::Key, "attn.hook_k", true},
    {Site::Value, "attn.hook_v", true},
    {Site::AttnScores, "attn.hook_attn_scores", true},
    {Site::Pattern, "attn.hook_pattern", true},
    {Site::Z, "attn.hook_z", true},
    {Site::AttnOut, "hook_attn_out", true},
    {Site::ResidMid, "hook_resid_mid", true},
    {Site::MlpPre, "mlp.hook_pre", true},
    {Site::MlpPost, "mlp.hook_post", true},
    {Site::MlpOut, "hook_mlp_out", true},
    {Site::ResidPost, "hook_resid_post", true},
    {Site::LnFinal, "ln_final.hook_normalized", false},
    {Site::Logits, "logits", false},
}};

constexpr std::string_view kBlocks = "blocks.";

const SiteName& entryOf(Site site)
{
    return kSites[static_cast<std::size_t>(site)];
}

std::optional<TraceKey> findSite(std::string_view name, bool perLayer, int layer)
{
    for (const SiteName& entry : kSites)
        if (entry.perLayer == perLayer && entry.name == name)
            return TraceKey{entry.site, layer};
    return std::nullopt;
}

} // namespace

bool isPerLayer(Site site)
{
    return entryOf(site).perLayer;
}

bool hasQueryRowsPerHead(Site site)
{
    return site == Site::AttnScores || site == Site::Pattern;
}

std::string toString(TraceKey key)
{
    const SiteName& entry = entryOf(key.site);
    std::string text;
    if (entry.perLayer)
        text = std::string(kBlocks) + std::to_string(key.layer) + ".";
    return text.append(entry.name);
}

std::optional<TraceKey> parseTraceKey(std::string_view name)
{
    if (!name.starts_with(kBlocks))
        return findSite(name, false, 0);
    name.remove_prefix(kBlocks.size());
    int layer = -1;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), layer);
    const auto digits = static_cast<std::size_t>(end - name.data());
    const bool leadingZero = digits > 1 && name.front() == '0';
    if (error != std::errc{} || layer < 0 || leadingZero || digits >= name.size() ||
        name[digits] != '.')
        return std::nullopt;
    return findSite(name.substr(digits + 1), true, layer);
}

bool matchesGlob(std::string_view glob, std::string_view name)
{
    std::size_t g = 0;
    std::size_t n = 0;
    std::size_t star = std::string_view::npos; ///< place of the last '*' seen
    std::size_t resume = 0;                    ///< where that star may swallow one more character
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

bool globCanMatchSite(std::string_view glob, int layers)
{
    for (const SiteName& entry : kSites)
        for (int layer = 0; layer < (entry.perLayer ? layers : 1); ++layer)
            if (matchesGlob(glob, toString({entry.site, layer})))
                return true;
    return false;
}

} // namespace headscope
