# The catalogue of tasks offers the configurations of resources/training; core takes in their text.
file(GLOB training_configs CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/resources/training/*.json)
set(config_rows "")
foreach(config IN LISTS training_configs)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${config})
    file(READ ${config} config_text)
    cmake_path(GET config STEM config_name)
    string(APPEND config_rows "    {\"${config_name}\", R\"json(${config_text})json\"},\n")
endforeach()
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
