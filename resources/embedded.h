#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace headscope::detail {

struct EmbeddedFile
{
    std::string_view path;
    const unsigned char* begin = nullptr;
    const unsigned char* end = nullptr;
};

/// Written by CMake: the files of resources/CMakeLists.txt, sorted by path.
std::span<const EmbeddedFile> embeddedFiles();

} // namespace headscope::detail
