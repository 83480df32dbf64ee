# A lab is a file of texts, resources/labs/kv-cache.json, and a function, runKvCache in one of
# core/lessons/labs/*/*.cpp. The table of labs is generated from the file names.
function(headscope_lab_function result name)
    set(function run)
    string(REPLACE "-" ";" words ${name})
    foreach(word IN LISTS words)
        string(SUBSTRING ${word} 0 1 first)
        string(SUBSTRING ${word} 1 -1 rest)
        string(TOUPPER ${first} first)
        string(APPEND function ${first} "${rest}")
    endforeach()
    set(${result} ${function} PARENT_SCOPE)
endfunction()

headscope_text_files(lab_files resources/labs)
set(lab_functions "")
set(lab_rows "")
foreach(file IN LISTS lab_files)
    headscope_text_literal(name literal ${file})
    headscope_lab_function(function ${name})
    string(APPEND lab_functions
           "LabResult ${function}(const LabSettings&, const LabContext&, const std::stop_token&);\n")
    string(APPEND lab_rows "    {\"${name}\", ${literal}, ${function}},\n")
endforeach()
file(CONFIGURE OUTPUT builtin_labs.cpp @ONLY CONTENT [[
#include "core/lessons/labs/builtin_labs.h"

namespace headscope {

@lab_functions@
std::span<const BuiltinLab> builtinLabs()
{
    static constexpr BuiltinLab kLabs[] = {
@lab_rows@    };
    return kLabs;
}

} // namespace headscope
]])
target_sources(headscope_core_lessons PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/builtin_labs.cpp)

headscope_builtin_texts(headscope_core_lessons builtinListingTexts resources/listings json)
headscope_builtin_texts(headscope_core_lessons builtinListingCpp resources/listings cpp)
headscope_builtin_texts(headscope_core_lessons builtinListingTorch resources/listings py)
