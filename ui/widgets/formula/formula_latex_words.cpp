// The commands of formulas: what takes something in braces, letters of other kinds, brackets, room.
#include "ui/widgets/formula/formula_latex_reader.h"

#include <utility>

namespace headscope::ui::latex {

/// Commands that take something, or make room; nothing for those that are signs.
std::optional<Piece> Reader::structure(const QString& name, const Style& style)
{
    if (name == QLatin1String("frac") || name == QLatin1String("dfrac") ||
        name == QLatin1String("tfrac")) {
        Math above = argument(style);
        return Piece{math::fraction(above, argument(style))};
    }
    if (name == QLatin1String("sqrt")) {
        if (isAt(QLatin1Char('[')))
            fail(tr("only square roots can be drawn"), m_at);
        return Piece{math::root(argument(style))};
    }
    if (name == QLatin1String("top"))
        return Piece{math::text(QStringLiteral("T"), style.role)};
    if (name == QLatin1String("left"))
        return fenced(style);
    if (name == QLatin1String("hat"))
        return Piece{accented(QStringLiteral("\u0302"), style)};
    if (name == QLatin1String("bar"))
        return Piece{accented(QStringLiteral("\u0304"), style)};
    if (name == QLatin1String("tilde"))
        return Piece{accented(QStringLiteral("\u0303"), style)};
    if (name == QLatin1String("displaystyle"))
        return Piece{};
    Piece found = lettersOf(name, style);
    if (!found.node)
        found = spaceOf(name);
    return found.node ? std::optional(found) : std::nullopt;
}

Piece Reader::lettersOf(const QString& name, const Style& style)
{
    Style inside = style;
    if (name == QLatin1String("text"))
        return {math::text(verbatim(), style.role)};
    if (name == QLatin1String("operatorname"))
        return {math::text(verbatim(), style.role), SignKind::Function};
    if (name == QLatin1String("mathit"))
        return {math::variable(verbatim(), style.role)};
    if (name == QLatin1String("mathbb") || name == QLatin1String("mathcal")) {
        const QString letter = verbatim();
        const QString drawn = letter == QLatin1String("R")   ? QStringLiteral("\u211D")
                              : letter == QLatin1String("L") ? QStringLiteral("\u2112")
                                                             : letter;
        return {math::text(drawn, style.role)};
    }
    if (name == QLatin1String("mathrm"))
        inside.letters = Style::Letters::Upright;
    else if (name == QLatin1String("mathbf") || name == QLatin1String("boldsymbol"))
        inside.letters = Style::Letters::Bold;
    else if (name == QLatin1String("queryrole"))
        inside.role = Role::Query;
    else if (name == QLatin1String("keyrole"))
        inside.role = Role::Key;
    else if (name == QLatin1String("valuerole"))
        inside.role = Role::Value;
    else
        return {};
    if (inside.letters != style.letters && isPlainWord())
        return {leaf(verbatim(), inside, true)};
    return {argument(inside)};
}

/// Braces with letters, digits and spaces only come next.
bool Reader::isPlainWord() const
{
    if (!isAt(QLatin1Char('{')))
        return false;
    qsizetype end = m_at + 1;
    while (end < m_text.size() && (m_text[end].isLetterOrNumber() || m_text[end].isSpace()))
        ++end;
    return end > m_at + 1 && end < m_text.size() && m_text[end] == QLatin1Char('}');
}

Piece Reader::spaceOf(const QString& name)
{
    static const std::pair<const char*, double> kSpaces[] = {
        {",", 0.17}, {":", 0.22},   {";", 0.28},   {" ", 0.25},
        {"!", 0.0},  {"quad", 1.0}, {"qquad", 2.0}};
    for (const auto& [command, em] : kSpaces) {
        if (name == QLatin1String(command))
            return {math::space(em)};
    }
    return {};
}

QString Reader::delimiter()
{
    skipSpaces();
    if (m_at >= m_text.size())
        fail(tr("a bracket is missing"), m_at);
    const qsizetype begin = m_at;
    if (isAt(QLatin1Char('\\'))) {
        for (++m_at; m_at < m_text.size() && m_text[m_at].isLetter();)
            ++m_at;
        if (m_at == begin + 1 && m_at < m_text.size())
            ++m_at;
        const FormulaSymbol* symbol = symbolOfCommand(m_text.mid(begin + 1, m_at - begin - 1));
        if (symbol && (symbol->kind == SignKind::Open || symbol->kind == SignKind::Close))
            return QString::fromUtf8(symbol->characters);
    } else if (QStringLiteral("()[]|.").contains(m_text[m_at]))
        return m_text[m_at++];
    fail(tr("a bracket is missing"), begin);
}

Piece Reader::fenced(const Style& style)
{
    const qsizetype begin = m_at;
    const QString open = delimiter();
    Math inside = row(deeper(style), QStringLiteral("\\right"));
    if (!isAtCommand(QStringLiteral("right")))
        fail(tr("this \u201C\\left\u201D has no \u201C\\right\u201D"), begin);
    m_at += 6;
    return {math::fenced(open, inside, delimiter()), SignKind::Open};
}

Math Reader::accented(const QString& mark, const Style& style)
{
    const qsizetype begin = m_at;
    const Math letter = argument(style);
    if (letter->kind != MathNode::Kind::Text || letter->characters.size() != 1 ||
        !letter->characters[0].isLetter())
        fail(tr("such a mark stands over one letter"), begin);
    MathNode node = *letter;
    node.characters += mark;
    return std::make_shared<const MathNode>(std::move(node));
}

/// What stands in braces, as it is.
QString Reader::verbatim()
{
    skipSpaces();
    const qsizetype begin = m_at;
    if (!isAt(QLatin1Char('{')))
        fail(tr("words in braces are missing"), begin);
    QString words;
    for (++m_at; !isAt(QLatin1Char('}')); ++m_at) {
        if (isAt(QLatin1Char('\\')) && m_at + 1 < m_text.size())
            ++m_at;
        else if (isAt(QLatin1Char('{')))
            fail(tr("braces cannot stand within words"), m_at);
        if (m_at >= m_text.size())
            fail(tr("this \u201C{\u201D is not closed"), begin);
        words += m_text[m_at];
    }
    ++m_at;
    return words;
}

} // namespace headscope::ui::latex
