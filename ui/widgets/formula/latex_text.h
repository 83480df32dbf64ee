#pragma once

#include <QString>

#include <utility>

namespace headscope::ui::latex {

/// Cursor over LaTeX text that is read from left to right.
class LatexText
{
public:
    explicit LatexText(QString characters) : m_text(std::move(characters)) {}

    qsizetype size() const { return m_text.size(); }

    qsizetype at() const { return m_at; }

    bool isAtEnd() const { return m_at >= m_text.size(); }

    QChar next() const { return m_text[m_at]; } ///< Next character; not at the end.

    bool isAt(QChar mark) const { return !isAtEnd() && next() == mark; }

    bool isAtScript() const { return isAt(QLatin1Char('^')) || isAt(QLatin1Char('_')); }

    bool isAtCommand(const QString& name) const;
    bool isAtPlainWord() const; ///< True at braces with letters, digits and spaces only.

    void skipSpaces();

    QChar take() { return m_text[m_at++]; }

    QString takeSign(); ///< Takes one character, which may be a surrogate pair.
    QString takeNumber();
    QString takeCommand();   ///< Takes a command's name, after the backslash.
    QString takeDelimiter(); ///< Takes a delimiter: "(", "{" of "\{", "." for none.
    QString takeVerbatim();  ///< Takes the unparsed contents of braces.

    /// Throws Error with the problem and its character position.
    [[noreturn]] static void fail(const QString& problem, qsizetype at);

private:
    QString m_text;
    qsizetype m_at = 0;
};

} // namespace headscope::ui::latex
