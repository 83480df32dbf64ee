#pragma once

#include "ui/widgets/formula/formula_symbols.h"
#include "ui/widgets/formula/math_node.h"

#include <optional>

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

/// Reads LaTeX from left to right, once.
class Reader
{
public:
    explicit Reader(const QString& latex) : m_text(latex) {}

    Math whole();

private:
    [[noreturn]] static void fail(const QString& problem, qsizetype at);

    void skipSpaces()
    {
        while (m_at < m_text.size() && m_text[m_at].isSpace())
            ++m_at;
    }

    bool isAt(QChar mark) const { return m_at < m_text.size() && m_text[m_at] == mark; }

    bool isAtCommand(const QString& name) const
    {
        const QStringView rest = QStringView(m_text).mid(m_at);
        return rest.startsWith(QLatin1Char('\\') + name) &&
               (rest.size() == name.size() + 1 || !rest[name.size() + 1].isLetter());
    }

    Math row(const Style& style, const QString& end);
    std::optional<Piece> piece(const Style& style);
    Piece atom(const Style& style);
    Piece command(const Style& style);
    std::optional<Piece> structure(const QString& name, const Style& style);
    Piece lettersOf(const QString& name, const Style& style);
    Piece spaceOf(const QString& name);
    Piece fenced(const Style& style);
    QString delimiter();
    Math accented(const QString& mark, const Style& style);
    Math argument(const Style& style, bool isScript = false);
    QString verbatim();
    bool isPlainWord() const;
    Math primes(const Style& style);
    void addScripts(Piece& base, const Style& style);

    QString m_text;
    qsizetype m_at = 0;
};

Math leaf(const QString& characters, const Style& style, bool isLetter);
Style deeper(Style style);
QString tr(const char* text);

} // namespace headscope::ui::latex
