#include "core/experiments/task_catalogue.h"

#include "core/base/content_catalogue.h"
#include "core/experiments/builtin_texts.h"
#include "core/experiments/task_file.h"

#include <vector>

namespace headscope {

namespace {

std::vector<CatalogueTask> readTasks()
{
    std::vector<CatalogueTask> tasks;
    for (const auto& [name, text] : builtinTasks()) {
        tasks.push_back(parseTask(name, contentText("tasks/" + std::string(name) + ".json", text)));
        tasks.back().config = parseTrainingConfig(builtinText(builtinConfigs(), name),
                                                  "builtin:" + tasks.back().name);
    }
    sortCatalogue(tasks, &CatalogueTask::order, "resources/tasks");
    return tasks;
}

} // namespace

std::span<const CatalogueTask> taskCatalogue()
{
    static ContentCatalogue<std::vector<CatalogueTask>> tasks;
    return tasks.entries(readTasks);
}

const CatalogueTask* taskOf(const TrainingConfig& config)
{
    const auto tasks = taskCatalogue();
    const auto fits = [&](const CatalogueTask& task) {
        if (task.config.objective != config.objective || !config.data.batches.empty())
            return false;
        if (task.needsText || !config.data.text.empty())
            return task.needsText && !config.data.text.empty();
        return task.config.data.task == config.data.task &&
               (task.controlOf.empty() || task.config.model.layers == config.model.layers);
    };
    // the control comes last: its data are those of the task that it controls
    const CatalogueTask* found = nullptr;
    for (const CatalogueTask& task : tasks) {
        if (fits(task))
            found = &task;
    }
    return found;
}

} // namespace headscope
