#pragma once

#include "core/model/model.h"

#include <string>
#include <string_view>

namespace headscope {

/// A mask as the user names it, before the length of the text is known.
struct MaskChoice
{
    enum class Kind { Causal, None, Window, Painted };

    Kind kind = Kind::Causal;
    std::int64_t window = 0;         ///< Window: keys fewer than this many positions back.
    std::vector<std::uint8_t> cells; ///< Painted: [side, side], 1 = may attend.
    std::int64_t side = 0;

    /// Parses "causal", "none", "window:W", or the path of a text file with n lines of n cells 0 or
    /// 1 (spaces and commas between them are ignored). Throws Error or FormatError.
    static MaskChoice parse(const std::string& choice);

    /// Parses the cells of such a file; `where` names it in errors.
    static MaskChoice parseCells(const std::string& content, const std::string& where);

    /// Sets this mask in place of the model's own. Throws ShapeError when painted cells do not
    /// match `tokens` tokens.
    void applyTo(Interventions& interventions, std::int64_t tokens) const;
};

/// Name of masks whose window depends on the layer.
inline constexpr std::string_view kMaskByLayer = "by layer";

/// Name in a trace's settings: "causal", "none", "window:W", "by layer" or "painted", of the only
/// stack or of the decoder.
std::string maskName(const ModelConfig& config, const Interventions& interventions);

/// True when a query sees no later key, nothing depends on the length of the text, and nothing is
/// patched or edited: then the activations of the first tokens are valid for every text that begins
/// with them.
bool keepsPrefixes(const ModelConfig& config, const Interventions& interventions);

/// Short name "L0H3"; in encoder-decoders "E0H3", "D0H3", and "C0H3" in the decoder's
/// cross-attention.
std::string headCode(HeadId head);

/// Parses "L0H3,L2H1" or "0.3,2.1", and the other names of heads; empty for "". Throws Error for
/// anything else.
std::vector<HeadId> parseHeads(const std::string& list);

std::string toString(const PositionsChoice& choice); ///< Text such as "alibi" or "rope:10000".

/// Parses "none", "sinusoidal", "sinusoidal:N", "learned", "rope", "rope:THETA", "alibi" or
/// "relative"; N and THETA default to 10000. Throws Error with the nearest name.
PositionsChoice parsePositions(const std::string& choice);

} // namespace headscope
