#pragma once

#include "ui/widgets/formula/formula_symbols.h"
#include "ui/widgets/formula/math_node.h"

#include <vector>

namespace headscope::ui::latex {

/// Style of letters, and the nesting depth of the reader.
struct Style
{
    enum class Letters { Italic, Upright, Bold };

    Letters letters = Letters::Italic;
    Role role = Role::Plain;
    bool isSmall = false; ///< True in a script: no space around signs.
    int depth = 0;
};

/// A part of a row while it is read.
struct Piece
{
    Math node;
    SignKind kind = SignKind::Ordinary;
};

Math leaf(const QString& characters, const Style& style, bool isLetter);

/// Joins the pieces with the implicit space of LaTeX around signs.
Math joined(const std::vector<Piece>& pieces, const Style& style);

} // namespace headscope::ui::latex
