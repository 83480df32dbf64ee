#pragma once

#include "core/lessons/labs/lab.h"

namespace headscope {

struct BuiltinLab
{
    std::string_view name; ///< "kv-cache"
    std::string_view text; ///< of resources/labs/kv-cache.json
    LabResult (*run)(const LabSettings&, const LabContext&, const std::stop_token&); ///< runKvCache
};

/// Written by CMake (generated.cmake): one for every file of resources/labs.
std::span<const BuiltinLab> builtinLabs();

} // namespace headscope
