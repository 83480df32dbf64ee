#pragma once

#include "ui/widgets/formula/formula.h"

namespace headscope::ui {

struct MathNode
{
    enum class Kind { Text, Row, Scripts, Fraction, Root, Space, Fenced };

    Kind kind = Kind::Row;
    QString characters; ///< Fenced: the opening bracket; Space: not empty where it is implied
    bool italic = false;
    bool bold = false;
    Role role = Role::Plain;
    std::vector<Math> parts; ///< Scripts: base, superscript or null, subscript or null
    double em = 0.0;
    QString closing = {}; ///< Fenced
};

} // namespace headscope::ui
