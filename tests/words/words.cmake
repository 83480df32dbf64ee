# Looks for words that must not come back in everything a person reads: strings, comments, lessons, labs, tasks,
# the manual. cmake -DSOURCE_DIR=... -P tests/words/words.cmake prints every place and fails.
# 1. The phrases of tests/words/forbidden.txt. 2. Doc comments that cannot be read without their declaration
# because they begin with a bare "of", "what", "that", ... 3. Terms of tests/words/terms.txt: each that a lesson
# sets in bold is explained by one lesson alone.
cmake_minimum_required(VERSION 3.25)
set(problems 0)
function(report text)
    message(NOTICE "${text}")
    math(EXPR count "${problems} + 1")
    set(problems ${count} PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE sources RELATIVE "${SOURCE_DIR}"
    "${SOURCE_DIR}/app/*.cpp" "${SOURCE_DIR}/app/*.h" "${SOURCE_DIR}/core/*.cpp" "${SOURCE_DIR}/core/*.h"
    "${SOURCE_DIR}/gpu/*.cpp" "${SOURCE_DIR}/gpu/*.h" "${SOURCE_DIR}/gpu/*.cl"
    "${SOURCE_DIR}/ui/*.cpp" "${SOURCE_DIR}/ui/*.h")
file(GLOB_RECURSE texts RELATIVE "${SOURCE_DIR}" "${SOURCE_DIR}/resources/labs/*.json"
    "${SOURCE_DIR}/resources/lessons/*.json" "${SOURCE_DIR}/resources/tasks/*.json"
    "${SOURCE_DIR}/resources/experiments/*.json" "${SOURCE_DIR}/resources/listings/*.json"
    "${SOURCE_DIR}/resources/manual/*.md")
list(APPEND texts README.md .github/CONTRIBUTING.md)

file(STRINGS "${SOURCE_DIR}/tests/words/forbidden.txt" forbidden REGEX "^[^#]")
set(vague "of|what|that|where|which|in|by|as|with|from|to|for|how")
foreach(file IN LISTS sources texts)
    if(NOT EXISTS "${SOURCE_DIR}/${file}")
        continue()
    endif()
    file(READ "${SOURCE_DIR}/${file}" text)
    string(REPLACE ";" "," text "${text}") # no list separators
    string(REGEX REPLACE "\"[ \n]+\"" "" text "${text}")          # adjacent literals are one string
    string(REGEX REPLACE "\n *///?<? ?|[ \n\t]+" " " flat "${text}") # so are the lines of a comment
    string(TOLOWER "${flat}" flat)
    foreach(line IN LISTS forbidden)
        string(REGEX REPLACE " *\\|.*" "" phrase "${line}")
        string(FIND "${flat}" "${phrase}" at)
        if(at EQUAL -1)
            continue()
        endif()
        if(line MATCHES "\\| *(.+)$" AND file MATCHES "${CMAKE_MATCH_1}")
            continue()
        endif()
        string(SUBSTRING "${flat}" ${at} 60 there)
        report("${file}: \"${phrase}\" in \"${there}\"")
    endforeach()
    string(REGEX MATCHALL "///<? (${vague}) [^\n]*" comments "${text}")
    if(comments)
        foreach(comment IN LISTS comments)
            string(FIND "${text}" "${comment}" at)
            math(EXPR before "${at} - 200")
            if(before LESS 0)
                set(before 0)
            endif()
            math(EXPR length "${at} - ${before}")
            string(SUBSTRING "${text}" ${before} ${length} lead)
            if(comment MATCHES "^///<" OR NOT lead MATCHES "//[^\n]*\n *$")
                report("${file}: a doc comment begins with a bare word: ${comment}")
            endif()
        endforeach()
    endif()
endforeach()

file(GLOB lessons "${SOURCE_DIR}/resources/lessons/*.json")
file(STRINGS "${SOURCE_DIR}/tests/words/terms.txt" terms REGEX "^[^#]")
foreach(term IN LISTS terms)
    set(explained "")
    foreach(lesson IN LISTS lessons)
        file(READ "${lesson}" text)
        string(TOLOWER "${text}" text)
        string(FIND "${text}" "**${term}**" at)
        if(NOT at EQUAL -1)
            get_filename_component(name "${lesson}" NAME)
            list(APPEND explained "${name}")
        endif()
    endforeach()
    list(LENGTH explained count)
    if(NOT count EQUAL 1)
        report("\"${term}\" is explained in ${count} lessons (${explained}); it should be in one")
    endif()
endforeach()

if(problems GREATER 0)
    message(FATAL_ERROR "${problems} places use words that must not come back")
endif()
