#include "core/runs/run_curves.h"

#include "core/base/error.h"
#include "core/runs/json_lines.h"
#include "core/train/files/run_directory.h"
#include "core/train/training_progress.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope {

namespace {

double numberOf(const nlohmann::json& object, const char* key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_number() ? found->get<double>()
                                                       : std::numeric_limits<double>::quiet_NaN();
}

LogLine lineOf(const nlohmann::json& object)
{
    LogLine line;
    line.step = stepOf(object);
    line.loss = numberOf(object, "loss");
    line.validationLoss = numberOf(object, "val_loss");
    line.validationAccuracy = numberOf(object, "val_accuracy");
    line.perplexity = numberOf(object, "perplexity");
    line.learningRate = numberOf(object, "lr");
    line.gradientNorm = numberOf(object, "grad_norm");
    line.tokensPerSecond = numberOf(object, "tokens_per_s");
    for (const std::string& part : lossPartNames()) {
        if (const double value = numberOf(object, part.c_str()); !std::isnan(value))
            line.lossParts.emplace_back(part, value);
    }
    const auto norms = object.find("layer_grad_norms");
    if (norms != object.end() && norms->is_object()) {
        for (const auto& [layer, norm] : norms->items())
            line.layerNorms.emplace_back(layer, norm.is_number() ? norm.get<double>() : 0.0);
    }
    return line;
}

} // namespace

std::vector<RunEvent> readEvents(const std::filesystem::path& run)
{
    std::vector<RunEvent> events;
    const std::filesystem::path path = run / "events.jsonl";
    for (const nlohmann::json& object : readJsonLines(path))
        events.push_back(runEventFromJson(object, path.string()));
    std::ranges::stable_sort(events, {}, &RunEvent::step);
    return events;
}

RunCurves RunCurves::read(const std::filesystem::path& run)
{
    RunDirectory::open(run);
    RunCurves curves;
    for (const nlohmann::json& object : readJsonLines(run / "log.jsonl")) {
        const std::int64_t step = stepOf(object);
        if (step >= 0 && (curves.lines.empty() || step > curves.lines.back().step))
            curves.lines.push_back(lineOf(object));
    }
    curves.events = readEvents(run);
    return curves;
}

} // namespace headscope
