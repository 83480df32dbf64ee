include(batches)
include(texts)

# A room is a folder, a CMake target and an include prefix: "core/text" is the target
# headscope_core_text, and its headers are included as "core/text/x.h".

function(headscope_compile_options target)
    target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                                             -Wconversion -Wno-sign-conversion)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        target_compile_options(${target} PRIVATE -Wno-restrict) # false positives of gcc 12, its bug 105651
    endif()
    if(HEADSCOPE_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
    if(HEADSCOPE_SANITIZE)
        target_compile_options(${target} PRIVATE -fsanitize=${HEADSCOPE_SANITIZE}
                                                 -fno-sanitize-recover=all -fno-omit-frame-pointer)
        target_link_options(${target} PUBLIC -fsanitize=${HEADSCOPE_SANITIZE})
    endif()
endfunction()

# The first room of the window compiles its headers once, and the others read the result: 170 MB less a room.
function(headscope_precompile_window target)
    if(TARGET headscope_ui_widgets AND NOT target STREQUAL "headscope_ui_widgets")
        target_precompile_headers(${target} REUSE_FROM headscope_ui_widgets)
    else()
        target_precompile_headers(${target} PRIVATE ${CMAKE_SOURCE_DIR}/ui/precompiled.h)
    endif()
endfunction()

# Rooms that say what to compute and show, while the loops that take time are in other rooms: -O1 compiles
# them in 60 to 80 % of the time.
set(HEADSCOPE_ROOMS_WITHOUT_LOOPS app core/experiments core/lessons core/runs ui/pages ui/session ui/window
                                  ui/workers)

function(headscope_optimise_little target)
    if(HEADSCOPE_SANITIZE) # those builds use -O1 everywhere
        return()
    endif()
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O1>)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        target_compile_options(${target} PRIVATE -Wno-stringop-overflow) # false positive of gcc 12 about std::string
    endif()
endfunction()

# A room with generated sources lists them in its generated.cmake.
# headscope_room(core/text DEPENDS core/base core/tensor LIBRARIES ICU::uc)
function(headscope_room room)
    cmake_parse_arguments(ARG "" "" "DEPENDS;LIBRARIES;PRIVATE_LIBRARIES;EXCLUDE" ${ARGN})
    string(REPLACE "/" "_" name ${room})
    set(target headscope_${name})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${room}/*.cpp
                                        ${CMAKE_SOURCE_DIR}/${room}/*.h)
    foreach(pattern IN LISTS ARG_EXCLUDE)
        list(FILTER sources EXCLUDE REGEX ${pattern})
    endforeach()
    set(units ${sources})
    list(FILTER units INCLUDE REGEX "\\.cpp$")
    foreach(dependency IN LISTS ARG_DEPENDS)
        string(REPLACE "/" "_" dependency ${dependency})
        list(APPEND links headscope_${dependency})
    endforeach()
    if(units)
        add_library(${target} STATIC ${sources})
        headscope_compile_options(${target})
        headscope_batches(${target} ${units})
        if(room IN_LIST HEADSCOPE_ROOMS_WITHOUT_LOOPS)
            headscope_optimise_little(${target})
        endif()
        if(HEADSCOPE_WINDOW AND room MATCHES "^(ui|app)")
            headscope_precompile_window(${target})
        endif()
        target_link_libraries(${target} PUBLIC ${links} ${ARG_LIBRARIES}
                                        PRIVATE ${ARG_PRIVATE_LIBRARIES})
    else()
        add_library(${target} INTERFACE)
        target_include_directories(${target} INTERFACE ${CMAKE_SOURCE_DIR})
        target_link_libraries(${target} INTERFACE ${links} ${ARG_LIBRARIES})
    endif()
    if(EXISTS ${CMAKE_SOURCE_DIR}/${room}/generated.cmake)
        include(${CMAKE_SOURCE_DIR}/${room}/generated.cmake)
    endif()
endfunction()
