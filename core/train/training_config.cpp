#include "core/train/training_config.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/train/json_fields.h"

namespace headscope {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::int64_t kMost = 1'000'000'000'000;
constexpr std::uint64_t kLargestFile = 1 << 20;

const std::vector<std::string> kTasks = {"none", "stories", "repeat"};
const std::vector<std::string> kVariants = {"snippets", "segment"};
const std::vector<std::string> kSchedules = {"constant", "warmup_cosine"};

std::string resolved(const std::string& path, const fs::path& folder)
{
    std::error_code ignored;
    if (!path.empty() && fs::path(path).is_relative() && fs::exists(folder / path, ignored))
        return (folder / path).string();
    return path;
}

DataSettings dataFromJson(const json& object, const std::string& where, const fs::path& folder)
{
    const JsonFields fields(object, "data",
                            {"task", "text", "batches", "tokenizer", "vocab_size", "bytes", "seed",
                             "variant", "repeated_rows", "validation_share", "validation_batches"},
                            where);
    DataSettings data;
    data.task = static_cast<TrainingTask>(fields.choice("task", kTasks, 0));
    fields.read("text", data.text);
    fields.read("batches", data.batches);
    fields.read("tokenizer", data.tokenizer);
    fields.read("vocab_size", data.vocabularySize, 257, 1 << 24);
    fields.read("bytes", data.bytes, 1000, 10'000'000'000);
    fields.read("seed", data.seed);
    data.variant = static_cast<RepeatTaskSettings::Variant>(fields.choice("variant", kVariants, 0));
    fields.read("repeated_rows", data.repeatedRows, 0.0, 1.0);
    fields.read("validation_share", data.validationShare, 0.0, 0.9);
    fields.read("validation_batches", data.validationBatches, 0, 10'000);
    const int sources = (data.task != TrainingTask::None ? 1 : 0) + (data.text.empty() ? 0 : 1) +
                        (data.batches.empty() ? 0 : 1);
    if (sources > 1)
        throw Error("data names more than one of task, text and batches", where,
                    "Keep one of them");
    for (std::string* path : {&data.text, &data.batches, &data.tokenizer})
        *path = resolved(*path, folder);
    return data;
}

OptimizerSettings optimizerFromJson(const json& object, const std::string& where)
{
    const JsonFields fields(object, "optimizer",
                            {"name", "lr", "beta1", "beta2", "epsilon", "weight_decay",
                             "decay_matrices_only", "clip_norm"},
                            where);
    OptimizerSettings optimizer;
    fields.choice("name", {"adamw"}, 0);
    fields.read("lr", optimizer.learningRate, 0.0, 1000.0);
    fields.read("beta1", optimizer.beta1, 0.0, 0.999999);
    fields.read("beta2", optimizer.beta2, 0.0, 0.999999);
    fields.read("epsilon", optimizer.epsilon, 1e-30, 1.0);
    fields.read("weight_decay", optimizer.weightDecay, 0.0, 1000.0);
    fields.read("decay_matrices_only", optimizer.decayMatricesOnly);
    if (fields.has("clip_norm") && fields.at("clip_norm").is_null()) {
        optimizer.clipNorm = std::nullopt;
    } else {
        double clipNorm = optimizer.clipNorm.value_or(1.0);
        fields.read("clip_norm", clipNorm, 1e-12, 1e12);
        optimizer.clipNorm = clipNorm;
    }
    return optimizer;
}

ScheduleSettings scheduleFromJson(const json& object, std::int64_t steps, const std::string& where)
{
    const JsonFields fields(object, "schedule", {"name", "warmup_steps", "total_steps"}, where);
    ScheduleSettings schedule;
    schedule.kind = static_cast<ScheduleSettings::Kind>(fields.choice("name", kSchedules, 0));
    schedule.totalSteps = steps;
    fields.read("warmup_steps", schedule.warmupSteps, 0, kMost);
    fields.read("total_steps", schedule.totalSteps, 0, kMost);
    return schedule;
}

void readNumbers(const JsonFields& fields, TrainingConfig& config)
{
    fields.choice("objective", {"causal"}, 0);
    fields.read("batch_size", config.batchSize, 1, 1 << 20);
    fields.read("steps", config.steps, 0, kMost);
    fields.read("seed", config.seed);
    fields.read("eval_every", config.evalEvery, 0, kMost);
    fields.read("checkpoint_every", config.checkpointEvery, 0, kMost);
    fields.read("log_every", config.logEvery, 1, kMost);
}

json toJson(const OptimizerSettings& optimizer)
{
    return {{"name", "adamw"},
            {"lr", optimizer.learningRate},
            {"beta1", optimizer.beta1},
            {"beta2", optimizer.beta2},
            {"epsilon", optimizer.epsilon},
            {"weight_decay", optimizer.weightDecay},
            {"decay_matrices_only", optimizer.decayMatricesOnly},
            {"clip_norm", optimizer.clipNorm ? json(*optimizer.clipNorm) : json()}};
}

json toJson(const DataSettings& data)
{
    json object = {{"task", kTasks[static_cast<std::size_t>(data.task)]},
                   {"vocab_size", data.vocabularySize},
                   {"bytes", data.bytes},
                   {"seed", data.seed},
                   {"variant", kVariants[static_cast<std::size_t>(data.variant)]},
                   {"repeated_rows", data.repeatedRows},
                   {"validation_share", data.validationShare},
                   {"validation_batches", data.validationBatches}};
    if (!data.text.empty())
        object["text"] = data.text;
    if (!data.batches.empty())
        object["batches"] = data.batches;
    if (!data.tokenizer.empty())
        object["tokenizer"] = data.tokenizer;
    return object;
}

} // namespace

TrainingConfig trainingConfigFromJson(const json& object, const std::string& where,
                                      const fs::path& folder)
{
    const JsonFields fields(object, "the training configuration",
                            {"model", "data", "objective", "optimizer", "schedule", "batch_size",
                             "steps", "seed", "eval_every", "checkpoint_every", "log_every"},
                            where);
    const auto part = [&](const char* key) {
        return fields.has(key) ? fields.at(key) : json::object();
    };
    TrainingConfig config;
    readNumbers(fields, config);
    config.model = modelConfigFromJson(part("model"), where);
    config.data = dataFromJson(part("data"), where, folder);
    config.optimizer = optimizerFromJson(part("optimizer"), where);
    config.schedule = scheduleFromJson(part("schedule"), config.steps, where);
    return config;
}

TrainingConfig parseTrainingConfig(std::string_view text, const std::string& where,
                                   const fs::path& folder)
{
    return trainingConfigFromJson(parseJson(text, where), where, folder);
}

TrainingConfig loadTrainingConfig(const fs::path& path)
{
    return parseTrainingConfig(readFile(path, kLargestFile), path.string(), path.parent_path());
}

json toJson(const TrainingConfig& config)
{
    json model = toJson(config.model);
    if (config.model.vocabularySize == 0)
        model.erase("vocab_size");
    return {{"model", model},
            {"data", toJson(config.data)},
            {"objective", "causal"},
            {"optimizer", toJson(config.optimizer)},
            {"schedule",
             {{"name", kSchedules[static_cast<std::size_t>(config.schedule.kind)]},
              {"warmup_steps", config.schedule.warmupSteps},
              {"total_steps", config.schedule.totalSteps}}},
            {"batch_size", config.batchSize},
            {"steps", config.steps},
            {"seed", config.seed},
            {"eval_every", config.evalEvery},
            {"checkpoint_every", config.checkpointEvery},
            {"log_every", config.logEvery}};
}

} // namespace headscope
