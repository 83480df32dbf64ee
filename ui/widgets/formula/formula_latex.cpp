#include "ui/widgets/formula/formula_latex.h"

#include "core/base/error.h"
#include "ui/widgets/formula/formula_latex_reader.h"

#include <QCoreApplication>

#include <utility>

namespace headscope::ui {

namespace latex {

namespace {

constexpr int kLongest = 2000; // characters
constexpr int kDeepest = 24;   // groups in groups

/// Room that LaTeX leaves by itself, and which is not written out again.
Math implied(double em)
{
    return std::make_shared<const MathNode>(MathNode{
        MathNode::Kind::Space, QStringLiteral("implied"), false, false, Role::Plain, {}, em});
}

/// A minus at the beginning, or after another sign, belongs to the number behind it.
bool isBinary(const std::vector<Piece>& pieces, std::size_t index)
{
    if (pieces[index].kind != SignKind::Operator || index == 0 || index + 1 == pieces.size())
        return false;
    const SignKind before = pieces[index - 1].kind;
    return before != SignKind::Operator && before != SignKind::Open && before != SignKind::Function;
}

bool isRelation(const Piece& piece)
{
    const Math& node = piece.node;
    return piece.kind == SignKind::Operator && node->kind == MathNode::Kind::Text &&
           node->characters != QStringLiteral("+") && node->characters != QStringLiteral("\u2212");
}

void join(std::vector<Math>& parts, const std::vector<Piece>& pieces, const Style& style)
{
    constexpr double kSign = 0.24;
    constexpr double kFunction = 0.16;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const bool open = !style.isSmall && pieces.size() > 1 &&
                          (isBinary(pieces, i) || (isRelation(pieces[i]) && i > 0));
        if (open)
            parts.push_back(implied(kSign));
        parts.push_back(pieces[i].node);
        if (open)
            parts.push_back(implied(kSign));
        const bool last = i + 1 == pieces.size();
        if (!last && pieces[i].kind == SignKind::Function && pieces[i + 1].kind != SignKind::Open &&
            pieces[i + 1].kind != SignKind::Operator)
            parts.push_back(implied(kFunction));
        if (!last && pieces[i].node->kind == MathNode::Kind::Text &&
            pieces[i].node->characters == QLatin1String(",") && !style.isSmall)
            parts.push_back(implied(kFunction));
    }
}

} // namespace

QString tr(const char* text)
{
    return QCoreApplication::translate("Formula", text);
}

Math leaf(const QString& characters, const Style& style, bool isLetter)
{
    if (style.letters == Style::Letters::Bold && isLetter)
        return math::strong(characters, style.role);
    return isLetter && style.letters == Style::Letters::Italic
               ? math::variable(characters, style.role)
               : math::text(characters, style.role);
}

Style deeper(Style style)
{
    ++style.depth;
    return style;
}

Math Reader::whole()
{
    if (m_text.size() > kLongest)
        fail(tr("it has more than %1 characters").arg(kLongest), kLongest);
    Math node = row({}, {});
    if (m_at < m_text.size())
        fail(tr("this \u201C}\u201D closes nothing"), m_at);
    return node;
}

void Reader::fail(const QString& problem, qsizetype at)
{
    throw Error(
        tr("A formula cannot be read: %1, at character %2").arg(problem).arg(at + 1).toStdString());
}

/// Until `end` ("}", "\right", or nothing), which is not taken.
Math Reader::row(const Style& style, const QString& end)
{
    if (style.depth > kDeepest)
        fail(tr("it is nested deeper than %1 groups").arg(kDeepest), m_at);
    std::vector<Piece> pieces;
    for (skipSpaces(); m_at < m_text.size(); skipSpaces()) {
        if (isAt(QLatin1Char('}')) ||
            (end == QLatin1String("\\right") && isAtCommand(QStringLiteral("right"))))
            break;
        if (auto next = piece(style))
            pieces.push_back(std::move(*next));
    }
    if (pieces.size() == 1)
        return pieces.front().node;
    std::vector<Math> parts;
    join(parts, pieces, style);
    return math::row(std::move(parts));
}

std::optional<Piece> Reader::piece(const Style& style)
{
    const qsizetype begin = m_at;
    if (isAt(QLatin1Char('^')) || isAt(QLatin1Char('_')))
        fail(tr("nothing stands before this \u201C%1\u201D").arg(m_text[m_at]), begin);
    Piece base = atom(style);
    if (!base.node)
        return std::nullopt;
    addScripts(base, style);
    return base;
}

Math Reader::primes(const Style& style)
{
    QString marks;
    for (; isAt(QLatin1Char('\'')); ++m_at)
        marks += QChar(0x2032);
    return marks.isEmpty() ? nullptr : math::text(marks, style.role);
}

void Reader::addScripts(Piece& base, const Style& style)
{
    Math above = primes(style);
    Math below;
    const bool primed = above != nullptr;
    for (skipSpaces(); isAt(QLatin1Char('^')) || isAt(QLatin1Char('_')); skipSpaces()) {
        const qsizetype begin = m_at;
        const bool isAbove = m_text[m_at++] == QLatin1Char('^');
        Math& script = isAbove ? above : below;
        if (script && !(isAbove && primed))
            fail(tr("a second \u201C%1\u201D follows the first; put braces around one")
                     .arg(m_text[begin]),
                 begin);
        Math read = argument(style, true);
        script = script ? math::row({script, read}) : read;
    }
    if (above || below)
        base.node = math::scripts(base.node, above, below);
}

/// A group, a command or one character.
Math Reader::argument(const Style& style, bool isScript)
{
    Style inside = deeper(style);
    inside.isSmall = inside.isSmall || isScript;
    skipSpaces();
    if (m_at >= m_text.size() || QStringLiteral("}^_").contains(m_text[m_at]))
        fail(tr("something in braces is missing"), m_at);
    if (isAt(QLatin1Char('{')))
        return atom(inside).node;
    if (inside.depth > kDeepest)
        fail(tr("it is nested deeper than %1 groups").arg(kDeepest), m_at);
    if (m_text[m_at].isDigit())
        return math::text(m_text[m_at++], style.role);
    const qsizetype begin = m_at;
    Math node = atom(inside).node;
    if (!node)
        fail(tr("something in braces is missing"), begin);
    return node;
}

Piece Reader::atom(const Style& style)
{
    const qsizetype begin = m_at;
    const QChar c = m_text[m_at];
    if (c == QLatin1Char('\\'))
        return command(style);
    if (c == QLatin1Char('{')) {
        ++m_at;
        Math node = row(deeper(style), QStringLiteral("}"));
        if (!isAt(QLatin1Char('}')))
            fail(tr("this \u201C{\u201D is not closed"), begin);
        ++m_at;
        return {node};
    }
    if (c.isDigit()) {
        while (m_at < m_text.size() && (m_text[m_at].isDigit() || m_text[m_at] == QLatin1Char('.')))
            ++m_at;
        return {math::text(m_text.mid(begin, m_at - begin), style.role)};
    }
    ++m_at;
    if (c.isHighSurrogate() && m_at < m_text.size())
        ++m_at;
    const QString characters = m_text.mid(begin, m_at - begin);
    if (c == QLatin1Char('-') || c == QChar(0x2212))
        return {math::text(QStringLiteral("\u2212"), style.role), SignKind::Operator};
    if (c == QLatin1Char('~'))
        return {math::space(0.25)};
    if (QStringLiteral("%#&$").contains(c) || !c.isPrint())
        fail(tr("\u201C%1\u201D means nothing here").arg(characters), begin);
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

Piece Reader::command(const Style& style)
{
    const qsizetype begin = m_at++;
    qsizetype end = m_at;
    while (end < m_text.size() && m_text[end].isLetter())
        ++end;
    end = std::max(end, std::min(m_at + 1, m_text.size()));
    const QString name = m_text.mid(m_at, end - m_at);
    m_at = end;
    if (name.isEmpty())
        fail(tr("nothing stands after this \u201C\\\u201D"), begin);
    if (auto special = structure(name, style))
        return std::move(*special);
    if (const FormulaSymbol* symbol = symbolOfCommand(name)) {
        const QString characters = QString::fromUtf8(symbol->characters);
        const bool isLetter = symbol->kind == SignKind::Ordinary && characters[0].isLower();
        return {leaf(characters, style, isLetter), symbol->kind};
    }
    const QString near = nearestCommand(name);
    fail(near.isEmpty() ? tr("\u201C\\%1\u201D is no command here").arg(name)
                        : tr("\u201C\\%1\u201D is no command here; did you mean \u201C\\%2\u201D?")
                              .arg(name, near),
         begin);
}

} // namespace latex

Math mathFromLatex(const QString& formula)
{
    return latex::Reader(formula).whole();
}

Math mathOrText(const QString& formula)
{
    try {
        return mathFromLatex(formula);
    } catch (const Error&) {
        return math::text(formula);
    }
}

} // namespace headscope::ui
