#pragma once

#include "ui/widgets/formula/formula_symbols.h"
#include "ui/widgets/formula/math_node.h"

#include <vector>

namespace headscope::ui::latex {

/// How letters look, and how deep the reader is.
struct Style
{
    enum class Letters { Italic, Upright, Bold };

    Letters letters = Letters::Italic;
    Role role = Role::Plain;
    bool isSmall = false; ///< a script: no room around signs
    int depth = 0;
};

/// A part of a row while it is read.
struct Piece
{
    Math node;
    SignKind kind = SignKind::Ordinary;
};

Math leaf(const QString& characters, const Style& style, bool isLetter);

/// The pieces side by side, with the room around signs that LaTeX leaves by itself.
Math joined(const std::vector<Piece>& pieces, const Style& style);

} // namespace headscope::ui::latex
