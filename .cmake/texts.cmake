# Texts compiled into core. It may not include resources/, so the configure step writes them into a
# source file of the room; changing one of these files triggers a new configure step.

# headscope_text_files(RESULT resources/training [ENDINGS...]): a folder's files with these endings, else the JSON files
function(headscope_text_files result folder)
    set(globs ${ARGN})
    if(NOT globs)
        set(globs json)
    endif()
    list(TRANSFORM globs PREPEND ${CMAKE_SOURCE_DIR}/${folder}/*.)
    file(GLOB files CONFIGURE_DEPENDS ${globs})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
    set(${result} ${files} PARENT_SCOPE)
endfunction()

# headscope_text_literal(NAME LITERAL FILE): "kv-cache" and R"json(...)json" of .../kv-cache.json
function(headscope_text_literal name literal file)
    file(READ ${file} text)
    cmake_path(GET file STEM stem)
    set(${name} ${stem} PARENT_SCOPE)
    set(${literal} "R\"json(${text})json\"" PARENT_SCOPE)
endfunction()

# headscope_builtin_texts(headscope_core_experiments builtinTasks resources/tasks [ENDINGS...]): gives a room the
# function builtinTasks() of core/base/builtin_text.h, with a row for each file of a folder
function(headscope_builtin_texts target function folder)
    headscope_text_files(files ${folder} ${ARGN})
    set(rows "")
    foreach(file IN LISTS files)
        headscope_text_literal(name literal ${file})
        string(APPEND rows "    {\"${name}\", ${literal}},\n")
    endforeach()
    file(CONFIGURE OUTPUT ${function}.cpp @ONLY CONTENT [[
#include "core/base/builtin_text.h"

namespace headscope {

std::span<const BuiltinText> @function@()
{
    static constexpr BuiltinText kTexts[] = {
@rows@    };
    return kTexts;
}

} // namespace headscope
]])
    target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
endfunction()
