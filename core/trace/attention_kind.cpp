#include "core/trace/attention_kind.h"

namespace headscope {

Stack stackOf(AttentionKind kind)
{
    if (kind == AttentionKind::Self)
        return Stack::Blocks;
    return kind == AttentionKind::EncoderSelf ? Stack::Encoder : Stack::Decoder;
}

AttentionKind selfAttentionOf(Stack stack)
{
    if (stack == Stack::Blocks)
        return AttentionKind::Self;
    return stack == Stack::Encoder ? AttentionKind::EncoderSelf : AttentionKind::DecoderSelf;
}

AttentionKind attentionOf(TraceKey pattern)
{
    return pattern.site == Site::CrossPattern ? AttentionKind::Cross
                                              : selfAttentionOf(pattern.stack);
}

TraceKey patternKey(AttentionKind kind, int layer)
{
    const Site site = kind == AttentionKind::Cross ? Site::CrossPattern : Site::Pattern;
    return {site, layer, stackOf(kind)};
}

TraceKey scoresKey(AttentionKind kind, int layer)
{
    const Site site = kind == AttentionKind::Cross ? Site::CrossScores : Site::AttnScores;
    return {site, layer, stackOf(kind)};
}

TraceKey contextKey(AttentionKind kind, int layer)
{
    return {kind == AttentionKind::Cross ? Site::CrossZ : Site::Z, layer, stackOf(kind)};
}

std::string toString(AttentionKind kind)
{
    constexpr std::array kNames{"", "encoder", "decoder", "cross"};
    return kNames.at(static_cast<std::size_t>(kind));
}

} // namespace headscope
