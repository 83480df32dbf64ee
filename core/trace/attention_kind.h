#pragma once

#include "core/trace/site.h"

#include <array>
#include <string>

namespace headscope {

/// Which tokens attend to which: self-attention of the only stack, of an encoder-decoder's encoder
/// or of its decoder, or cross-attention from decoder to source.
enum class AttentionKind { Self, EncoderSelf, DecoderSelf, Cross };

/// All kinds, in the order of the computation.
inline constexpr std::array kAttentionKinds{AttentionKind::Self, AttentionKind::EncoderSelf,
                                            AttentionKind::DecoderSelf, AttentionKind::Cross};

Stack stackOf(AttentionKind kind);
AttentionKind selfAttentionOf(Stack stack);
AttentionKind attentionOf(TraceKey pattern); ///< Inverse of patternKey.

TraceKey patternKey(AttentionKind kind, int layer);
TraceKey scoresKey(AttentionKind kind, int layer);
TraceKey contextKey(AttentionKind kind, int layer); ///< Site of pattern times values.

/// Short words for titles and file names: "", "encoder", "decoder", "cross".
std::string toString(AttentionKind kind);

} // namespace headscope
