#pragma once

#include "core/experiments/task_catalogue.h"

namespace headscope {

/// Reads resources/tasks/NAME.json: all of a task but its configuration, which is
/// resources/training/NAME.json. Throws a one-sentence FormatError with the file and the key, for a
/// key that is unknown, missing or of the wrong type.
CatalogueTask parseTask(std::string_view name, std::string_view text);

} // namespace headscope
