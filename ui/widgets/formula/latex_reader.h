#pragma once

#include "ui/widgets/formula/latex_row.h"
#include "ui/widgets/formula/latex_text.h"

#include <optional>

namespace headscope::ui::latex {

/// Parses a formula from LaTeX. Throws Error with the problem and its character position.
class LatexReader
{
public:
    explicit LatexReader(const QString& latex) : m_text(latex) {}

    Math whole();

private:
    Math row(const Style& style, const QString& end);
    std::optional<Piece> piece(const Style& style);
    Piece atom(const Style& style);
    Piece sign(const Style& style);
    Piece command(const Style& style);
    std::optional<Piece> structure(const QString& name, const Style& style);
    Piece lettersOf(const QString& name, const Style& style);
    Piece fenced(const Style& style);
    Math accented(const QString& mark, const Style& style);
    Math argument(const Style& style, bool isScript = false);
    Math primes(const Style& style);
    void addScripts(Piece& base, const Style& style);

    LatexText m_text;
};

} // namespace headscope::ui::latex
