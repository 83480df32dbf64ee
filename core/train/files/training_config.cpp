#include "core/train/files/training_config.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/model/config/model_config_json.h"
#include "core/train/files/json_fields.h"
#include "core/train/files/training_settings_json.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::int64_t kMost = 1'000'000'000'000;
constexpr std::uint64_t kLargestFile = 1 << 20;

const std::vector<std::string> kTasks = {"none",     "stories",  "agreement", "repeat",
                                         "brackets", "order",    "reverse",   "copy",
                                         "sort",     "addition", "dates",     "phrases"};
const std::vector<std::string> kVariants = {"snippets", "segment"};
const std::vector<std::string> kObjectives = {"causal", "masked", "seq2seq"};
const std::vector<std::string> kConventions = {"uniform", "annotated"};

std::string resolved(const std::string& path, const fs::path& folder)
{
    std::error_code ignored;
    if (!path.empty() && fs::path(path).is_relative() && fs::exists(folder / path, ignored))
        return (folder / path).string();
    return path;
}

bool isEmpty(const DataSettings& data)
{
    return data.task == TrainingTask::None && data.text.empty() && data.batches.empty();
}

DataSettings dataFromJson(const json& object, const std::string& where, const fs::path& folder)
{
    const JsonFields fields(object, "data",
                            {"task", "text", "batches", "tokenizer", "vocab_size", "bytes", "seed",
                             "variant", "repeated_rows", "min_length", "max_length", "reversed_sum",
                             "validation_share", "validation_batches"},
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
    fields.read("max_length", data.maxLength, 1, 1 << 20);
    data.minLength = std::min(data.minLength, data.maxLength);
    fields.read("min_length", data.minLength, 1, data.maxLength);
    fields.read("reversed_sum", data.reversedSum);
    fields.read("validation_share", data.validationFraction, 0.0, 0.9);
    fields.read("validation_batches", data.validationBatches, 0, 10'000);
    const int sources = (data.task != TrainingTask::None ? 1 : 0) + (data.text.empty() ? 0 : 1) +
                        (data.batches.empty() ? 0 : 1);
    if (sources > 1)
        throw Error("\"data\" has more than one of task, text and batches", where,
                    "Keep one of them");
    for (std::string* path : {&data.text, &data.batches, &data.tokenizer})
        *path = resolved(*path, folder);
    return data;
}

void readNumbers(const JsonFields& fields, TrainingConfig& config)
{
    fields.read("batch_size", config.batchSize, 1, 1 << 20);
    fields.read("accumulate", config.accumulate, 1, config.batchSize);
    fields.read("label_smoothing", config.loss.labelSmoothing, 0.0, 0.999);
    config.loss.convention =
        static_cast<LabelSmoothing>(fields.choice("label_smoothing_convention", kConventions, 0));
    fields.read("steps", config.steps, 0, kMost);
    fields.read("seed", config.seed);
    fields.read("eval_every", config.evalEvery, 0, kMost);
    fields.read("checkpoint_every", config.checkpointEvery, 0, kMost);
    fields.read("log_every", config.logEvery, 1, kMost);
}

Objective objectiveOf(const JsonFields& fields, const ModelConfig& model)
{
    const Objective natural = model.isEncoderDecoder() ? Objective::Seq2seq
                              : model.architecture == Architecture::Encoder || !model.causal
                                  ? Objective::Masked
                                  : Objective::Causal;
    const auto objective = static_cast<Objective>(
        fields.choice("objective", kObjectives, static_cast<std::size_t>(natural)));
    const bool isWithoutMask = model.architecture == Architecture::Decoder && !model.causal;
    if (objective != natural && !(isWithoutMask && objective == Objective::Causal))
        fields.refuse("objective",
                      fmt::format("\"{}\", which suits this architecture, or another architecture",
                                  kObjectives[static_cast<std::size_t>(natural)]));
    return objective;
}

bool isSymbols(TrainingTask task)
{
    return task == TrainingTask::Repeat || task == TrainingTask::Brackets ||
           task == TrainingTask::Order;
}

void requireSuitableTask(const TrainingConfig& config, const std::string& where)
{
    const bool isPairs = config.data.task >= TrainingTask::Reverse;
    const bool isSeq2seq = config.objective == Objective::Seq2seq;
    const bool isUnsuitable =
        isSeq2seq ? !isPairs && !isEmpty(config.data)
                  : isPairs || (config.objective == Objective::Masked &&
                                (isSymbols(config.data.task) || !config.data.batches.empty() ||
                                 config.data.repeatedRows > 0.0));
    if (isUnsuitable)
        throw Error(fmt::format("the data do not suit the objective \"{}\"",
                                kObjectives[static_cast<std::size_t>(config.objective)]),
                    where,
                    isSeq2seq ? "Set task in \"data\" to \"reverse\", \"copy\", \"sort\", "
                                "\"addition\", \"dates\" or \"phrases\""
                    : config.objective == Objective::Masked
                        ? "Set task in \"data\" to \"stories\" or \"agreement\", or give a text, "
                          "without repeated_rows"
                        : "Set task in \"data\" to \"stories\", \"agreement\", \"repeat\", "
                          "\"brackets\" or \"order\", or give a text or batches");
}

json toJson(const DataSettings& data)
{
    json object = {{"task", kTasks[static_cast<std::size_t>(data.task)]},
                   {"vocab_size", data.vocabularySize},
                   {"bytes", data.bytes},
                   {"seed", data.seed},
                   {"variant", kVariants[static_cast<std::size_t>(data.variant)]},
                   {"repeated_rows", data.repeatedRows},
                   {"min_length", data.minLength},
                   {"max_length", data.maxLength},
                   {"reversed_sum", data.reversedSum},
                   {"validation_share", data.validationFraction},
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
                            {"model", "data", "objective", "optimizer", "schedule",
                             "label_smoothing", "label_smoothing_convention", "batch_size",
                             "accumulate", "steps", "seed", "eval_every", "checkpoint_every",
                             "log_every"},
                            where);
    const auto part = [&](const char* key) {
        return fields.has(key) ? fields.at(key) : json::object();
    };
    TrainingConfig config;
    readNumbers(fields, config);
    config.model = modelConfigFromJson(part("model"), where);
    config.data = dataFromJson(part("data"), where, folder);
    config.objective = objectiveOf(fields, config.model);
    requireSuitableTask(config, where);
    config.schedule = scheduleFromJson(part("schedule"), config.steps, config.model.dModel, where);
    config.optimizer = optimizerFromJson(part("optimizer"), config.schedule.kind, where);
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
            {"objective", kObjectives[static_cast<std::size_t>(config.objective)]},
            {"optimizer", toJson(config.optimizer)},
            {"schedule", toJson(config.schedule)},
            {"label_smoothing", config.loss.labelSmoothing},
            {"label_smoothing_convention",
             kConventions[static_cast<std::size_t>(config.loss.convention)]},
            {"batch_size", config.batchSize},
            {"accumulate", config.accumulate},
            {"steps", config.steps},
            {"seed", config.seed},
            {"eval_every", config.evalEvery},
            {"checkpoint_every", config.checkpointEvery},
            {"log_every", config.logEvery}};
}

} // namespace headscope
