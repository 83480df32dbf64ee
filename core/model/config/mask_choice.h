#pragma once

#include "core/model/model.h"

#include <string>

namespace headscope {

/// A mask as a person names it, before the length of the text is known.
struct MaskChoice
{
    enum class Kind { Causal, None, Window, Painted };

    Kind kind = Kind::Causal;
    std::int64_t window = 0;         ///< Window: keys fewer than this many positions back
    std::vector<std::uint8_t> cells; ///< Painted: [side, side], 1 = may attend
    std::int64_t side = 0;

    /// "causal", "none", "window:W", or the path of a text file with n lines of n cells 0 or 1
    /// (spaces and commas between them are passed over). Throws Error or FormatError.
    static MaskChoice parse(const std::string& choice);

    /// The cells of such a file's content; `where` names it in errors.
    static MaskChoice parseCells(const std::string& content, const std::string& where);

    /// In place of the model's own. Throws ShapeError when painted cells are not those of `tokens`
    /// tokens.
    void applyTo(Interventions& interventions, std::int64_t tokens) const;
};

/// "causal", "none", "window:W" or "painted", as in a trace's settings: of the only stack, or of
/// the decoder.
std::string maskName(const ModelConfig& config, const Interventions& interventions);

/// True when a query sees no later key, nothing depends on the length of the text, and nothing is
/// patched or edited: then what was computed for the first tokens holds for every text that begins
/// with them.
bool keepsPrefixes(const ModelConfig& config, const Interventions& interventions);

/// "L0H3"; of encoder-decoders "E0H3", "D0H3", and "C0H3" in the decoder's cross-attention.
std::string headCode(HeadId head);

/// "L0H3,L2H1" or "0.3,2.1", and the other names of heads; empty for "". Throws Error for anything
/// else.
std::vector<HeadId> parseHeads(const std::string& list);

std::string toString(const PositionsChoice& choice); ///< "alibi", "rope:10000"

/// "none", "sinusoidal", "sinusoidal:N", "learned", "rope", "rope:THETA", "alibi" or "relative";
/// N and THETA are 10000 unless given. Throws Error with the nearest name.
PositionsChoice parsePositions(const std::string& choice);

} // namespace headscope
