#pragma once

#include "core/base/builtin_text.h"

namespace headscope {

// Written by CMake (generated.cmake): the files of a folder of resources.

std::span<const BuiltinText> builtinConfigs();     ///< training
std::span<const BuiltinText> builtinTasks();       ///< tasks
std::span<const BuiltinText> builtinExperiments(); ///< experiments
std::span<const BuiltinText> builtinBases();       ///< experiments/bases

} // namespace headscope
