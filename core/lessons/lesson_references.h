#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Puts numbers in the place of {{reference}} and {{reference|format}}; `number` gives the value or
/// throws Error. Formats: a number of decimals ("3"), "int" (thousands set apart), "percent",
/// "bytes" (1.34 GB), "short" (the shortest that reads back to six digits), "exact" (√2/2, where
/// the reference has such a form). Without one: up to four decimals.
struct ReferencedNumber
{
    double value = 0.0;
    std::string exact; ///< as written by a person; empty where there is no such form
};

std::string fillIn(std::string_view text,
                   const std::function<ReferencedNumber(std::string_view)>& number);

std::vector<std::string> references(std::string_view text); ///< without formats, in order

} // namespace headscope
