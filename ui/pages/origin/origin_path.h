#pragma once

#include "ui/pages/shared/maps/shown_number.h"

#include <QJsonObject>

namespace headscope::ui {

/// The way behind a number: what was asked first, what is shown last. `run` is unset while it
/// follows the shown one.
struct OriginPath
{
    std::vector<NumberRef> numbers;
    std::optional<Variant> variant;

    friend bool operator==(const OriginPath&, const OriginPath&) = default;
};

QJsonObject toJson(const OriginPath& path); ///< numbers of very many operands end it
OriginPath originPathFrom(const QJsonObject& options);

/// "blocks.0.attn.hook_pattern[1, 5, 3]", or the words of what is made of several.
QString nameOf(const NumberRef& number);
QString shortNameOf(const NumberRef& number); ///< for buttons

Derivation derivationOf(const ViewSnapshot& view, Variant variant, const NumberRef& number);

} // namespace headscope::ui
