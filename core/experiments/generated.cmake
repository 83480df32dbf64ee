# The catalogue of tasks offers the configurations of resources/training; core takes in their text.
headscope_text_rows(config_rows resources/training)
file(CONFIGURE OUTPUT builtin_configs.cpp @ONLY CONTENT [[
#include "core/experiments/builtin_configs.h"

#include <utility>

namespace headscope {

std::optional<std::string_view> builtinConfigText(std::string_view name)
{
    static constexpr std::pair<std::string_view, std::string_view> kConfigs[] = {
@config_rows@    };
    for (const auto& [known, text] : kConfigs) {
        if (known == name)
            return text;
    }
    return std::nullopt;
}

} // namespace headscope
]])
target_sources(headscope_core_experiments PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/builtin_configs.cpp)
