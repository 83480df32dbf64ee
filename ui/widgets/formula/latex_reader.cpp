#include "ui/widgets/formula/latex_reader.h"

#include "ui/widgets/tr.h"

#include <memory>
#include <utility>
#include <vector>

namespace headscope::ui::latex {

namespace {

constexpr int kLongest = 2000; // maximum number of characters
constexpr int kDeepest = 24;   // maximum nesting depth

Style deeper(Style style)
{
    ++style.depth;
    return style;
}

/// Space of a command; null for any other command.
Math spaceOf(const QString& name)
{
    static const std::pair<const char*, double> kSpaces[] = {
        {",", 0.17}, {":", 0.22},   {";", 0.28},   {" ", 0.25},
        {"!", 0.0},  {"quad", 1.0}, {"qquad", 2.0}};
    for (const auto& [command, em] : kSpaces) {
        if (name == QLatin1String(command))
            return math::space(em);
    }
    return nullptr;
}

} // namespace

Math LatexReader::whole()
{
    if (m_text.size() > kLongest)
        LatexText::fail(tr("more than %1 characters").arg(kLongest), kLongest);
    Math node = row({}, {});
    if (!m_text.isAtEnd())
        LatexText::fail(tr("unmatched \u201C}\u201D"), m_text.at());
    return node;
}

/// Reads until `end` ("}", "\right", or nothing), which is not consumed.
Math LatexReader::row(const Style& style, const QString& end)
{
    if (style.depth > kDeepest)
        LatexText::fail(tr("nested deeper than %1 groups").arg(kDeepest), m_text.at());
    std::vector<Piece> pieces;
    for (m_text.skipSpaces(); !m_text.isAtEnd(); m_text.skipSpaces()) {
        if (m_text.isAt(QLatin1Char('}')) ||
            (end == QLatin1String("\\right") && m_text.isAtCommand(QStringLiteral("right"))))
            break;
        if (auto next = piece(style))
            pieces.push_back(std::move(*next));
    }
    return joined(pieces, style);
}

std::optional<Piece> LatexReader::piece(const Style& style)
{
    if (m_text.isAtScript())
        LatexText::fail(tr("nothing before \u201C%1\u201D").arg(m_text.next()), m_text.at());
    Piece base = atom(style);
    if (!base.node)
        return std::nullopt;
    addScripts(base, style);
    return base;
}

Math LatexReader::primes(const Style& style)
{
    QString marks;
    for (; m_text.isAt(QLatin1Char('\'')); m_text.take())
        marks += QChar(0x2032);
    return marks.isEmpty() ? nullptr : math::text(marks, style.role);
}

void LatexReader::addScripts(Piece& base, const Style& style)
{
    Math above = primes(style);
    Math below;
    const bool primed = above != nullptr;
    for (m_text.skipSpaces(); m_text.isAtScript(); m_text.skipSpaces()) {
        const qsizetype begin = m_text.at();
        const QChar mark = m_text.take();
        const bool isAbove = mark == QLatin1Char('^');
        Math& script = isAbove ? above : below;
        if (script && !(isAbove && primed))
            LatexText::fail(tr("double \u201C%1\u201D; put braces around one").arg(mark), begin);
        Math read = argument(style, true);
        script = script ? math::row({script, read}) : read;
    }
    if (above || below)
        base.node = math::scripts(base.node, above, below);
}

/// Reads a group, a command or one character.
Math LatexReader::argument(const Style& style, bool isScript)
{
    Style inside = deeper(style);
    inside.isSmall = inside.isSmall || isScript;
    m_text.skipSpaces();
    const qsizetype begin = m_text.at();
    if (m_text.isAtEnd() || QStringLiteral("}^_").contains(m_text.next()))
        LatexText::fail(tr("missing argument in braces"), begin);
    if (m_text.isAt(QLatin1Char('{')))
        return atom(inside).node;
    if (inside.depth > kDeepest)
        LatexText::fail(tr("nested deeper than %1 groups").arg(kDeepest), begin);
    if (m_text.next().isDigit())
        return math::text(m_text.take(), style.role);
    Math node = atom(inside).node;
    if (!node)
        LatexText::fail(tr("missing argument in braces"), begin);
    return node;
}

Piece LatexReader::atom(const Style& style)
{
    if (m_text.isAt(QLatin1Char('\\')))
        return command(style);
    if (m_text.next().isDigit())
        return {math::text(m_text.takeNumber(), style.role)};
    if (!m_text.isAt(QLatin1Char('{')))
        return sign(style);
    const qsizetype begin = m_text.at();
    m_text.take();
    Math node = row(deeper(style), QStringLiteral("}"));
    if (!m_text.isAt(QLatin1Char('}')))
        LatexText::fail(tr("unclosed \u201C{\u201D"), begin);
    m_text.take();
    return {node};
}

Piece LatexReader::sign(const Style& style)
{
    const qsizetype begin = m_text.at();
    const QChar c = m_text.next();
    const QString characters = m_text.takeSign();
    if (c == QLatin1Char('-') || c == QChar(0x2212))
        return {math::text(QStringLiteral("\u2212"), style.role), SignKind::Operator};
    if (c == QLatin1Char('~'))
        return {math::space(0.25)};
    if (QStringLiteral("%#&$").contains(c) || !c.isPrint())
        LatexText::fail(tr("unexpected \u201C%1\u201D").arg(characters), begin);
    if (c == QLatin1Char('*'))
        return {math::text(QStringLiteral("\u00B7"), style.role), SignKind::Operator};
    if (QStringLiteral("+=<>").contains(c))
        return {math::text(characters, style.role), SignKind::Operator};
    if (QStringLiteral("([").contains(c))
        return {math::text(characters, style.role), SignKind::Open};
    if (QStringLiteral(")]").contains(c))
        return {math::text(characters, style.role), SignKind::Close};
    const FormulaSymbol* symbol = symbolOfCharacters(characters);
    return {leaf(characters, style, c.isLetter()), symbol ? symbol->kind : SignKind::Ordinary};
}

Piece LatexReader::command(const Style& style)
{
    const qsizetype begin = m_text.at();
    const QString name = m_text.takeCommand();
    if (auto special = structure(name, style))
        return std::move(*special);
    if (const FormulaSymbol* symbol = symbolOfCommand(name)) {
        const QString characters = QString::fromUtf8(symbol->characters);
        const bool isLetter = symbol->kind == SignKind::Ordinary && characters[0].isLower();
        return {leaf(characters, style, isLetter), symbol->kind};
    }
    const QString near = nearestCommand(name);
    LatexText::fail(near.isEmpty()
                        ? tr("unknown command \u201C\\%1\u201D").arg(name)
                        : tr("unknown command \u201C\\%1\u201D; did you mean \u201C\\%2\u201D?")
                              .arg(name, near),
                    begin);
}

/// Reads a command with arguments, or a space; nothing for a sign.
std::optional<Piece> LatexReader::structure(const QString& name, const Style& style)
{
    if (name == QLatin1String("frac") || name == QLatin1String("dfrac") ||
        name == QLatin1String("tfrac")) {
        Math above = argument(style);
        return Piece{math::fraction(above, argument(style))};
    }
    if (name == QLatin1String("sqrt")) {
        if (m_text.isAt(QLatin1Char('[')))
            LatexText::fail(tr("only square roots are supported"), m_text.at());
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
        found = {spaceOf(name)};
    return found.node ? std::optional(found) : std::nullopt;
}

Piece LatexReader::lettersOf(const QString& name, const Style& style)
{
    Style inside = style;
    if (name == QLatin1String("text"))
        return {math::text(m_text.takeVerbatim(), style.role)};
    if (name == QLatin1String("operatorname"))
        return {math::text(m_text.takeVerbatim(), style.role), SignKind::Function};
    if (name == QLatin1String("mathit"))
        return {math::variable(m_text.takeVerbatim(), style.role)};
    if (name == QLatin1String("mathbb") || name == QLatin1String("mathcal")) {
        const QString letter = m_text.takeVerbatim();
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
    if (inside.letters != style.letters && m_text.isAtPlainWord())
        return {leaf(m_text.takeVerbatim(), inside, true)};
    return {argument(inside)};
}

Piece LatexReader::fenced(const Style& style)
{
    const qsizetype begin = m_text.at();
    const QString open = m_text.takeDelimiter();
    Math inside = row(deeper(style), QStringLiteral("\\right"));
    if (!m_text.isAtCommand(QStringLiteral("right")))
        LatexText::fail(tr("\u201C\\left\u201D without \u201C\\right\u201D"), begin);
    m_text.takeCommand();
    return {math::fenced(open, inside, m_text.takeDelimiter()), SignKind::Open};
}

Math LatexReader::accented(const QString& mark, const Style& style)
{
    const qsizetype begin = m_text.at();
    const Math letter = argument(style);
    if (letter->kind != MathNode::Kind::Text || letter->characters.size() != 1 ||
        !letter->characters[0].isLetter())
        LatexText::fail(tr("an accent needs a single letter"), begin);
    MathNode node = *letter;
    node.characters += mark;
    return std::make_shared<const MathNode>(std::move(node));
}

} // namespace headscope::ui::latex
