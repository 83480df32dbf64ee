#include "app/training_source.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "resources/resource.h"

namespace headscope::app {

TrainingConfig openTrainingConfig(const std::string& source)
{
    constexpr std::string_view kBuiltin = "builtin:";
    if (!source.starts_with(kBuiltin))
        return loadTrainingConfig(source);
    const std::string name = source.substr(kBuiltin.size());
    const auto text = resourceText("training/" + name + ".json");
    if (!text)
        throw Error("there is no such built-in training configuration", inQuotes(source),
                    nearestNameAdvice(name, builtinTrainingNames()));
    return parseTrainingConfig(*text, source);
}

} // namespace headscope::app
