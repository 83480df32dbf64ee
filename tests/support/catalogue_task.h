#pragma once

#include "core/base/error.h"
#include "core/experiments/task_catalogue.h"

#include <algorithm>

namespace headscope::test {

/// A task of the catalogue by its name. Throws Error where there is none.
inline const CatalogueTask& catalogueTask(std::string_view name)
{
    const auto tasks = taskCatalogue();
    const auto found = std::ranges::find(tasks, name, &CatalogueTask::name);
    if (found == tasks.end())
        throw Error("there is no task of this name", std::string(name));
    return *found;
}

} // namespace headscope::test
