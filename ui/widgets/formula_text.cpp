#include "ui/widgets/math_node.h"

#include <utility>

namespace headscope::ui {
namespace {

Math make(MathNode node)
{
    return std::make_shared<const MathNode>(std::move(node));
}

QString spokenWord(const QString& characters)
{
    static const std::pair<const char*, const char*> kWords[] = {
        {"·", " times "}, {"×", " times "}, {"=", " equals "}, {"/", " over "}, {"+", " plus "},
        {"−", " minus "}, {"Σ", " sum "},   {"(", " of "},     {")", " "},      {",", ", "},
    };
    QString text = characters;
    for (const auto& [sign, word] : kWords)
        text.replace(QString::fromUtf8(sign), QString::fromUtf8(word));
    return text;
}

QString latexWord(const MathNode& node)
{
    static const std::pair<const char*, const char*> kCommands[] = {
        {"softmax", "\\operatorname{softmax}"},
        {"sin", "\\sin"},
        {"cos", "\\cos"},
        {"·", "\\cdot "},
        {"×", "\\times "},
        {"−", "-"},
        {"Σ", "\\sum"},
    };
    QString text = node.characters;
    for (const auto& [word, command] : kCommands)
        text.replace(QString::fromUtf8(word), QLatin1String(command));
    return node.bold ? QStringLiteral("\\mathbf{%1}").arg(text) : text;
}

QString braced(const Math& node)
{
    return QLatin1Char('{') + latexText(node) + QLatin1Char('}');
}

} // namespace

namespace math {

Math text(const QString& characters, Role role)
{
    return make({MathNode::Kind::Text, characters, false, false, role, {}, 0.0});
}

Math variable(const QString& characters, Role role)
{
    return make({MathNode::Kind::Text, characters, true, false, role, {}, 0.0});
}

Math strong(const QString& characters)
{
    return make({MathNode::Kind::Text, characters, false, true, Role::Plain, {}, 0.0});
}

Math row(std::vector<Math> parts)
{
    return make({MathNode::Kind::Row, {}, false, false, Role::Plain, std::move(parts), 0.0});
}

Math scripts(Math base, Math superscript, Math subscript)
{
    return make({MathNode::Kind::Scripts,
                 {},
                 false,
                 false,
                 Role::Plain,
                 {std::move(base), std::move(superscript), std::move(subscript)},
                 0.0});
}

Math fraction(Math numerator, Math denominator)
{
    return make({MathNode::Kind::Fraction,
                 {},
                 false,
                 false,
                 Role::Plain,
                 {std::move(numerator), std::move(denominator)},
                 0.0});
}

Math root(Math radicand)
{
    return make({MathNode::Kind::Root, {}, false, false, Role::Plain, {std::move(radicand)}, 0.0});
}

Math space(double em)
{
    return make({MathNode::Kind::Space, {}, false, false, Role::Plain, {}, em});
}

} // namespace math

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
    case MathNode::Kind::Scripts: {
        text = spokenText(parts[0]);
        if (parts[2])
            text += QLatin1Char(' ') + spokenText(parts[2]);
        const QString power = spokenText(parts[1]);
        if (power == QLatin1String("T"))
            text += QStringLiteral(" transpose");
        else if (power == QLatin1String("2"))
            text += QStringLiteral(" squared");
        else if (!power.isEmpty())
            text += QStringLiteral(" to the power ") + power;
        break;
    }
    case MathNode::Kind::Fraction:
        text = spokenText(parts[0]) + QStringLiteral(" over ") + spokenText(parts[1]);
        break;
    case MathNode::Kind::Root:
        text = QStringLiteral("root ") + spokenText(parts[0]);
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
        text = latexText(parts[0]);
        if (parts[2])
            text += QLatin1Char('_') + braced(parts[2]);
        if (parts[1])
            text += QLatin1Char('^') + braced(parts[1]);
        return text;
    case MathNode::Kind::Fraction:
        return QStringLiteral("\\frac") + braced(parts[0]) + braced(parts[1]);
    case MathNode::Kind::Root:
        return QStringLiteral("\\sqrt") + braced(parts[0]);
    case MathNode::Kind::Space:
        break;
    }
    return formula->em >= 1.0 ? QStringLiteral("\\quad ") : QStringLiteral("\\, ");
}

} // namespace headscope::ui
