#include "app/model_precision.h"

namespace headscope::app {

CLI::Option* addPrecisionOption(CLI::App& command, std::string& precision)
{
    return command
        .add_option(
            "--precision", precision,
            "Multiply with float weights as they are (f32), or rounded to f16 or bf16: half "
            "the memory to read, and slightly different logits")
        ->check(CLI::IsMember({"f32", "f16", "bf16"}))
        ->capture_default_str();
}

LoadedModel withPrecision(LoadedModel model, const std::string& precision)
{
    const WeightPrecision chosen = precisionNamed(precision).value_or(WeightPrecision::Float32);
    if (chosen != WeightPrecision::Float32)
        model.model = std::make_shared<const Model>(Model::rounded(model.model, chosen));
    return model;
}

} // namespace headscope::app
