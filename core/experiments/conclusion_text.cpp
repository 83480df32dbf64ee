#include "core/experiments/conclusion_text.h"

#include <fmt/format.h>

namespace headscope {

std::string loss(const VariantResult& variant, const char* name)
{
    return fmt::format("{:.2f}", variant.number(name));
}

std::string notShown(const char* what, const std::string& broken, const std::string& fixed)
{
    return fmt::format("The effect did not show here: {} is {} for the broken variant and {} for "
                       "the fixed one.",
                       what, broken, fixed);
}

} // namespace headscope
