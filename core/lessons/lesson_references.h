#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Replaces {{reference}} and {{reference|format}} by numbers; `number` returns the value or throws
/// Error. Formats: a number of decimals ("3"), "int" (with thousands separators), "percent",
/// "bytes" (1.34 GB), "short" (the shortest text that reads back to six digits), "exact" (√2/2, if
/// the reference has an exact form). Default: up to four decimals.
struct ReferencedNumber
{
    double value = 0.0;
    std::string exact; ///< Exact form ("√2/2"); empty if there is none.
};

std::string fillIn(std::string_view text,
                   const std::function<ReferencedNumber(std::string_view)>& number);

std::vector<std::string> references(std::string_view text); ///< Without formats, in order.

} // namespace headscope
