#include "core/experiments/task_file.h"

#include "core/base/json_text.h"
#include "core/train/files/json_record.h"

#include <fmt/format.h>

namespace headscope {

CatalogueTask parseTask(std::string_view name, std::string_view text)
{
    const std::string where = fmt::format("resources/tasks/{}.json", name);
    const nlohmann::json root = parseJson(text, where);
    const JsonRecord record(root, "the task",
                            {"name", "order", "title", "description", "look_for", "probe",
                             "probe_target", "accuracy", "head_score", "curve", "control_of",
                             "needs_text"},
                            where);
    CatalogueTask task;
    task.name = record.nameAs(name);
    task.order = record.neededInteger("order");
    task.title = record.needed("title");
    task.description = record.needed("description");
    task.lookFor = record.needed("look_for");
    task.probe = record.text("probe");
    task.probeTarget = record.text("probe_target");
    task.accuracy = record.needed("accuracy");
    task.headScore = record.text("head_score");
    task.curve = record.needed("curve");
    task.controlOf = record.text("control_of");
    task.needsText = record.isOn("needs_text");
    return task;
}

} // namespace headscope
