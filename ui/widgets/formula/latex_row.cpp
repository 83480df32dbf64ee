#include "ui/widgets/formula/latex_row.h"

#include <cstddef>
#include <utility>

namespace headscope::ui::latex {

namespace {

/// Space that LaTeX inserts implicitly and that is not written out again.
Math implied(double em)
{
    return std::make_shared<const MathNode>(MathNode{
        MathNode::Kind::Space, QStringLiteral("implied"), false, false, Role::Plain, {}, em});
}

/// A minus at the start or after another sign is unary.
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

} // namespace

Math leaf(const QString& characters, const Style& style, bool isLetter)
{
    if (style.letters == Style::Letters::Bold && isLetter)
        return math::strong(characters, style.role);
    return isLetter && style.letters == Style::Letters::Italic
               ? math::variable(characters, style.role)
               : math::text(characters, style.role);
}

Math joined(const std::vector<Piece>& pieces, const Style& style)
{
    if (pieces.size() == 1)
        return pieces.front().node;
    std::vector<Math> parts;
    constexpr double kSign = 0.24;
    constexpr double kFunction = 0.16;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const bool open =
            !style.isSmall && (isBinary(pieces, i) || (isRelation(pieces[i]) && i > 0));
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
    return math::row(std::move(parts));
}

} // namespace headscope::ui::latex
