#pragma once

#include "ui/widgets/charts/bars/bars.h"

#include <QString>

#include <memory>
#include <vector>

namespace headscope::ui {

struct MathNode;
/// A formula as a tree of boxes: immutable, cheap to share.
using Math = std::shared_ptr<const MathNode>;

struct MathNode
{
    enum class Kind { Text, Row, Scripts, Fraction, Root, Space, Fenced };

    Kind kind = Kind::Row;
    /// Text; Fenced: the opening bracket; Space: not empty where it is implied.
    QString characters;
    bool italic = false;
    bool bold = false;
    Role role = Role::Plain;
    std::vector<Math> parts; ///< Children; Scripts: base, superscript or null, subscript or null.
    double em = 0.0;
    QString closing = {}; ///< Closing bracket of Fenced.

    /// Lit: accent colour, bold and underlined. Faint: not reached yet.
    enum class Tone { Plain, Lit, Faint };
    Tone tone = Tone::Plain; ///< Of the node's own characters, bar, root sign or brackets.
};

namespace math {
Math text(const QString& characters, Role role = Role::Plain); ///< Upright text: numbers, sin, =.
Math variable(const QString& characters, Role role = Role::Plain); ///< Italic text.
Math strong(const QString& characters, Role role = Role::Plain);   ///< Bold text: the result.
Math row(std::vector<Math> parts);
Math scripts(Math base, Math superscript, Math subscript = nullptr);
Math fraction(Math numerator, Math denominator);
Math root(Math radicand);
/// Brackets as tall as their contents: one of ( [ { | or "." for none, and its counterpart.
Math fenced(const QString& open, Math inside, const QString& close);
Math space(double em);
Math toned(Math formula, MathNode::Tone tone); ///< The formula with all its nodes in that tone.
/// The node alone in that tone; its parts keep theirs.
Math tonedAlone(const Math& node, MathNode::Tone tone);
} // namespace math

} // namespace headscope::ui
