#include "ui/widgets/formula/math_node.h"

#include <utility>

namespace headscope::ui::math {

namespace {

Math make(MathNode node)
{
    return std::make_shared<const MathNode>(std::move(node));
}

} // namespace

Math text(const QString& characters, Role role)
{
    return make({MathNode::Kind::Text, characters, false, false, role, {}, 0.0});
}

Math variable(const QString& characters, Role role)
{
    return make({MathNode::Kind::Text, characters, true, false, role, {}, 0.0});
}

Math strong(const QString& characters, Role role)
{
    return make({MathNode::Kind::Text, characters, false, true, role, {}, 0.0});
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

Math fenced(const QString& open, Math inside, const QString& close)
{
    return make(
        {MathNode::Kind::Fenced, open, false, false, Role::Plain, {std::move(inside)}, 0.0, close});
}

Math space(double em)
{
    return make({MathNode::Kind::Space, {}, false, false, Role::Plain, {}, em});
}

Math toned(Math formula, MathNode::Tone tone)
{
    if (!formula)
        return formula;
    MathNode node = *formula;
    node.tone = tone;
    for (Math& part : node.parts)
        part = toned(std::move(part), tone);
    return make(std::move(node));
}

Math tonedAlone(const Math& node, MathNode::Tone tone)
{
    MathNode alone = *node;
    alone.tone = tone;
    return make(std::move(alone));
}

} // namespace headscope::ui::math
