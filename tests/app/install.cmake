# Installs a build as packagers and people do: staged below DESTDIR, and into a prefix with spaces in its path.
# Fails if a file is missing or unexpected, or if the installed program does not start or names another version.
#   cmake -DBUILD_DIR=build/dev -DVERSION=0.1.0 -P tests/app/install.cmake
cmake_minimum_required(VERSION 3.25)
set(id io.github.headscope.Headscope)
set(expected
    bin/headscope
    share/applications/${id}.desktop
    share/bash-completion/completions/headscope
    share/fish/vendor_completions.d/headscope.fish
    share/icons/hicolor/scalable/apps/${id}.svg
    share/man/man1/headscope.1
    share/metainfo/${id}.metainfo.xml
    share/mime/packages/${id}.xml
    share/zsh/site-functions/_headscope)
foreach(side 16 24 32 48 64 128 256 512)
    list(APPEND expected share/icons/hicolor/${side}x${side}/apps/${id}.png)
endforeach()
list(SORT expected)

set(scratch "${BUILD_DIR}/install test")
file(REMOVE_RECURSE "${scratch}")

function(expect_equal what actual wanted)
    if(NOT actual STREQUAL wanted)
        message(FATAL_ERROR "${what}:\n  ${actual}\nexpected:\n  ${wanted}")
    endif()
endfunction()

# Installs with `--prefix PREFIX` and DESTDIR, which may be empty; checks the files below FOLDER.
function(install_and_check destdir prefix folder)
    execute_process(COMMAND ${CMAKE_COMMAND} -E env "DESTDIR=${destdir}"
                            ${CMAKE_COMMAND} --install "${BUILD_DIR}" --prefix "${prefix}" --strip
                    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
    file(GLOB_RECURSE files LIST_DIRECTORIES false RELATIVE "${folder}" "${folder}/*")
    list(SORT files)
    expect_equal("files in ${folder}" "${files}" "${expected}")
    execute_process(COMMAND "${folder}/bin/headscope" --version WORKING_DIRECTORY /
                    OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    expect_equal("headscope --version" "${version}" "headscope ${VERSION}")
    foreach(text share/man/man1/headscope.1 share/metainfo/${id}.metainfo.xml)
        file(READ "${folder}/${text}" content)
        string(FIND "${content}" "${VERSION}" at)
        if(at EQUAL -1)
            message(FATAL_ERROR "${text} does not name version ${VERSION}")
        endif()
    endforeach()
    find_program(readelf readelf)
    if(readelf)
        execute_process(COMMAND ${readelf} --dynamic "${folder}/bin/headscope" OUTPUT_VARIABLE dynamic)
        if(dynamic MATCHES "R(UN)?PATH")
            message(FATAL_ERROR "the installed program looks for libraries in a folder of the build:\n${dynamic}")
        endif()
    endif()
endfunction()

install_and_check("${scratch}/staged" /usr "${scratch}/staged/usr")
file(GLOB others LIST_DIRECTORIES true RELATIVE "${scratch}/staged" "${scratch}/staged/*")
expect_equal("folders below DESTDIR" "${others}" usr)
install_and_check("" "${scratch}/a prefix" "${scratch}/a prefix")
file(REMOVE_RECURSE "${scratch}")
