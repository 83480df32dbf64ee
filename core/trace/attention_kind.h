#pragma once

#include "core/trace/site.h"

#include <array>
#include <string>

namespace headscope {

/// Whose tokens attend to whose: those of the only stack, of an encoder-decoder's encoder or of its
/// decoder to one another, or the decoder's to the source.
enum class AttentionKind { Self, EncoderSelf, DecoderSelf, Cross };

/// All kinds, in the order of the computation.
inline constexpr std::array kAttentionKinds{AttentionKind::Self, AttentionKind::EncoderSelf,
                                            AttentionKind::DecoderSelf, AttentionKind::Cross};

Stack stackOf(AttentionKind kind);
AttentionKind selfAttentionOf(Stack stack);
AttentionKind attentionOf(TraceKey pattern); ///< inverse of patternKey

TraceKey patternKey(AttentionKind kind, int layer);
TraceKey scoresKey(AttentionKind kind, int layer);
TraceKey contextKey(AttentionKind kind, int layer); ///< pattern times values

/// "", "encoder", "decoder", "cross": short words for titles and files.
std::string toString(AttentionKind kind);

} // namespace headscope
