#include "core/train/files/training_config.h"

#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"

#include <nlohmann/json.hpp>

namespace headscope::fuzz {

bool readTrainingConfig(std::string_view file)
{
    constexpr const char* kName = "training.json";
    return accepts(kName, [&] {
        const nlohmann::json json = toJson(parseTrainingConfig(file, kName));
        require(toJson(trainingConfigFromJson(json, kName)) == json,
                "a configuration that reads back as another");
    });
}

} // namespace headscope::fuzz
