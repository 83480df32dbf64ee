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

/// "{{if a > b}}one text{{else}}another{{end}}" keeps the text that applies, so that a conclusion
/// follows from what was measured. A condition compares (< or >) a reference with a number, with
/// another reference, or with a multiple of one: "{{if a < 0.5 b}}". Conditions cannot be nested.
std::string fillIn(std::string_view text,
                   const std::function<ReferencedNumber(std::string_view)>& number);

/// Without formats, in order, those of conditions and of both texts included.
std::vector<std::string> references(std::string_view text);

} // namespace headscope
