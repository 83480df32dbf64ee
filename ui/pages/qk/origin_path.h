#pragma once

#include "ui/pages/shared/maps/shown_number.h"

#include <QJsonObject>

namespace headscope::ui {

/// Path from the requested number to the shown one. `variant` is unset while it follows the
/// session's.
struct OriginPath
{
    std::vector<NumberRef> numbers;
    std::optional<Variant> variant;

    friend bool operator==(const OriginPath&, const OriginPath&) = default;
};

QJsonObject toJson(const OriginPath& path); ///< stops at a number of too many operands
OriginPath originPathFrom(const QJsonObject& options);

/// "blocks.0.attn.hook_pattern[1, 5, 3]", or the description of a derived number.
QString nameOf(const NumberRef& number);
QString shortNameOf(const NumberRef& number); ///< Short form for buttons

Derivation derivationOf(const ViewSnapshot& view, Variant variant, const NumberRef& number);

} // namespace headscope::ui
