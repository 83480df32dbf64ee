#pragma once

#include <QString>

#include <utility>

namespace headscope::ui::latex {

/// LaTeX that is read from left to right, once: what comes next is looked at, then taken.
class LatexText
{
public:
    explicit LatexText(QString characters) : m_text(std::move(characters)) {}

    qsizetype size() const { return m_text.size(); }

    qsizetype at() const { return m_at; }

    bool isAtEnd() const { return m_at >= m_text.size(); }

    QChar next() const { return m_text[m_at]; } ///< not at the end

    bool isAt(QChar mark) const { return !isAtEnd() && next() == mark; }

    bool isAtScript() const { return isAt(QLatin1Char('^')) || isAt(QLatin1Char('_')); }

    bool isAtCommand(const QString& name) const;
    bool isAtPlainWord() const; ///< braces with letters, digits and spaces only

    void skipSpaces();

    QChar take() { return m_text[m_at++]; }

    QString takeSign(); ///< one character, which may be a pair of surrogates
    QString takeNumber();
    QString takeCommand();   ///< its name, after the backslash
    QString takeDelimiter(); ///< "(", "{" of "\{", "." for none
    QString takeVerbatim();  ///< what is in braces, as it is

    /// Throws Error: what is wrong, at which character.
    [[noreturn]] static void fail(const QString& problem, qsizetype at);

private:
    QString m_text;
    qsizetype m_at = 0;
};

QString tr(const char* text); ///< of the messages of formulas

} // namespace headscope::ui::latex
