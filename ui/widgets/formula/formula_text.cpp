#include "ui/widgets/formula/formula_text.h"

#include "ui/widgets/formula/formula_symbols.h"

#include <QStringList>

#include <algorithm>
#include <utility>

namespace headscope::ui {
namespace {

QString spokenCharacter(QChar c)
{
    static const std::pair<char16_t, const char*> kWords[] = {
        {u'=', " equals "},
        {u'/', " over "},
        {u'+', " plus "},
        {u'\u2212', " minus "},
        {u'(', " of "},
        {u')', " "},
        {u',', ", "},
        {u'\u0302', " hat"},
        {u'[', " of "},
        {u']', " "},
        {u'\u0304', " bar"},
        {u'\u0303', " tilde"},
        {u'<', " is less than "},
        {u'>', " is more than "},
    };
    for (const auto& [sign, word] : kWords) {
        if (c == QChar(sign))
            return QLatin1String(word);
    }
    const FormulaSymbol* symbol = symbolOfCharacters(c);
    return symbol ? QLatin1Char(' ') + QLatin1String(symbol->spoken) + QLatin1Char(' ')
                  : QString(c);
}

QString spokenWord(const QString& characters)
{
    QString text;
    for (const QChar c : characters)
        text += spokenCharacter(c);
    return text;
}

bool isOverRange(const Math& node)
{
    static const QStringList kNames{"\u03A3", "\u220F", "max", "min"};
    return node->kind == MathNode::Kind::Text && kNames.contains(node->characters);
}

QString spokenScripts(const MathNode& node)
{
    const auto& parts = node.parts;
    QString text = spokenText(parts[0]);
    const bool range = isOverRange(parts[0]);
    if (parts[2])
        text += (range ? QStringLiteral(" over ") : QStringLiteral(" ")) + spokenText(parts[2]);
    const QString power = spokenText(parts[1]);
    if (power.isEmpty())
        return text;
    if (range)
        return text + QStringLiteral(" to ") + power;
    if (power == QLatin1String("T"))
        return text + QStringLiteral(" transpose");
    if (power == QLatin1String("2"))
        return text + QStringLiteral(" squared");
    return text +
           (power.startsWith(QLatin1String("prime")) ? QStringLiteral(" ")
                                                     : QStringLiteral(" to the power ")) +
           power;
}

QString latexLetters(const QString& letters, const MathNode& node)
{
    if (node.bold)
        return QStringLiteral("\\mathbf{%1}").arg(letters);
    if (node.italic)
        return letters.size() == 1 ? letters : QStringLiteral("\\mathit{%1}").arg(letters);
    if (letters == QLatin1String("softmax"))
        return QStringLiteral("\\operatorname{softmax}");
    const FormulaSymbol* symbol = symbolOfCharacters(letters);
    if (symbol && symbol->kind == SignKind::Function)
        return QLatin1Char('\\') + QLatin1String(symbol->command) + QLatin1Char(' ');
    return QStringLiteral("\\text{%1}").arg(letters);
}

QString latexCharacter(QChar c)
{
    if (c == QChar(0x2212))
        return QStringLiteral("-");
    if (c == QChar(0x211D))
        return QStringLiteral("\\mathbb{R}");
    if (c == QChar(0x2112))
        return QStringLiteral("\\mathcal{L}");
    const FormulaSymbol* symbol =
        c == QLatin1Char('<') || c == QLatin1Char('>') || c == QLatin1Char('|')
            ? nullptr
            : symbolOfCharacters(c);
    if (!symbol)
        return c;
    const QString command = QLatin1Char('\\') + QLatin1String(symbol->command);
    return command.back().isLetter() ? command + QLatin1Char(' ') : command;
}

QString latexAccent(const QString& characters, const MathNode& node)
{
    static const std::pair<char16_t, const char*> kMarks[] = {
        {u'\u0302', "\\hat{%1}"}, {u'\u0304', "\\bar{%1}"}, {u'\u0303', "\\tilde{%1}"}};
    for (const auto& [mark, command] : kMarks) {
        if (characters[1] == QChar(mark))
            return QString::fromLatin1(command).arg(latexLetters(characters.left(1), node));
    }
    return characters;
}

bool isPlainLetter(QChar c)
{
    return c.isLetter() && !symbolOfCharacters(c) && c != QChar(0x211D) && c != QChar(0x2112);
}

QString latexWord(const MathNode& node)
{
    const QString& all = node.characters;
    if (all.size() == 2 && all[1].isMark())
        return latexAccent(all, node);
    if (node.bold && !std::any_of(all.begin(), all.end(), [](QChar c) { return c.isLetter(); }))
        return QStringLiteral("\\mathbf{%1}").arg(all);
    QString text;
    for (qsizetype i = 0; i < all.size();) {
        qsizetype end = i;
        while (end < all.size() &&
               (isPlainLetter(all[end]) || (end > i && all[end] == QLatin1Char(' '))))
            ++end;
        if (end == i) {
            text += latexCharacter(all[i++]);
            continue;
        }
        text += latexLetters(all.mid(i, end - i), node);
        i = end;
    }
    return text;
}

QString braced(const Math& node)
{
    return QLatin1Char('{') + latexText(node) + QLatin1Char('}');
}

QString latexScripts(const MathNode& node)
{
    const auto& parts = node.parts;
    const bool isGroup =
        parts[0]->kind == MathNode::Kind::Row || parts[0]->kind == MathNode::Kind::Scripts;
    QString text = (isGroup ? braced(parts[0]) : latexText(parts[0])).trimmed();
    if (parts[2])
        text += QLatin1Char('_') + braced(parts[2]);
    if (!parts[1])
        return text;
    const bool isTop = parts[1]->kind == MathNode::Kind::Text && !parts[1]->italic &&
                       parts[1]->characters == QLatin1String("T");
    return text + (isTop ? QStringLiteral("^{\\top}") : QLatin1Char('^') + braced(parts[1]));
}

QString latexSpace(const MathNode& node)
{
    static const std::pair<double, const char*> kSpaces[] = {{2.0, "\\qquad "}, {1.0, "\\quad "},
                                                             {0.28, "\\; "},    {0.25, "\\ "},
                                                             {0.22, "\\: "},    {0.01, "\\, "}};
    if (!node.characters.isEmpty())
        return {}; // implied
    for (const auto& [em, command] : kSpaces) {
        if (node.em >= em)
            return QLatin1String(command);
    }
    return QStringLiteral("\\! ");
}

QString latexBracket(const QString& bracket)
{
    return bracket == QLatin1String(".") ? bracket : latexCharacter(bracket[0]);
}

} // namespace

QString spokenText(const Math& formula)
{
    if (!formula)
        return {};
    const auto& parts = formula->parts;
    QString text;
    switch (formula->kind) {
    case MathNode::Kind::Text:
        text = spokenWord(formula->characters);
        break;
    case MathNode::Kind::Row:
        for (const Math& part : parts)
            text += QLatin1Char(' ') + spokenText(part);
        break;
    case MathNode::Kind::Scripts:
        text = spokenScripts(*formula);
        break;
    case MathNode::Kind::Fraction:
        text = spokenText(parts[0]) + QStringLiteral(" over ") + spokenText(parts[1]);
        break;
    case MathNode::Kind::Root:
        text = QStringLiteral("root ") + spokenText(parts[0]);
        break;
    case MathNode::Kind::Fenced:
        text = (formula->characters == QLatin1String("(") ? QStringLiteral(" of ")
                                                          : spokenWord(formula->characters)) +
               spokenText(parts[0]);
        break;
    case MathNode::Kind::Space:
        break;
    }
    return text.simplified();
}

QString latexText(const Math& formula)
{
    if (!formula)
        return {};
    const auto& parts = formula->parts;
    QString text;
    switch (formula->kind) {
    case MathNode::Kind::Text:
        return latexWord(*formula);
    case MathNode::Kind::Row:
        for (const Math& part : parts)
            text += latexText(part);
        return text;
    case MathNode::Kind::Scripts:
        return latexScripts(*formula);
    case MathNode::Kind::Fraction:
        return QStringLiteral("\\frac") + braced(parts[0]) + braced(parts[1]);
    case MathNode::Kind::Root:
        return QStringLiteral("\\sqrt") + braced(parts[0]);
    case MathNode::Kind::Fenced:
        return QStringLiteral("\\left") + latexBracket(formula->characters) + latexText(parts[0]) +
               QStringLiteral("\\right") + latexBracket(formula->closing);
    case MathNode::Kind::Space:
        break;
    }
    return latexSpace(*formula);
}

} // namespace headscope::ui
