#pragma once

#include "core/model/config/model_config.h"
#include "core/train/data/repeat_task.h"
#include "core/train/trainer.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace headscope {

/// Brackets and Order are questions (question_task.h); those from Reverse on are of the objective
/// Seq2seq (sequence_task.h).
enum class TrainingTask {
    None,
    Stories,
    Agreement, ///< the story grammar's sentences of subjects and verbs alone
    Repeat,
    Brackets,
    Order,
    Reverse,
    Copy,
    Sort,
    Addition,
    Dates
};

enum class Objective {
    Causal,  ///< the next token of every position
    Masked,  ///< tokens that were hidden; with nextSentence in the model, pairs of sentences too
    Seq2seq, ///< the target from the source, by teacher forcing
};

/// What to learn from: a task, else a text file, else a file of batches.
struct DataSettings
{
    TrainingTask task = TrainingTask::None;
    std::string text;                   ///< path, or empty
    std::string batches;                ///< path, or empty
    std::string tokenizer;              ///< path; empty: trained on the text, or the task's own
    std::int64_t vocabularySize = 1536; ///< of a tokenizer that is trained
    std::int64_t bytes = 13'000'000;    ///< of generated stories and sentences
    std::uint64_t seed = 1;             ///< of generated stories
    RepeatTaskSettings::Variant variant = RepeatTaskSettings::Variant::Snippets;
    double repeatedRows = 0.0;  ///< share of rows of text that are a random line, repeated
    std::int64_t minLength = 3; ///< symbols of a source or question, digits of a number
    std::int64_t maxLength = 10;
    bool reversedSum = false;      ///< sums are written from the last digit on
    double validationShare = 0.02; ///< of the documents
    std::int64_t validationBatches = 8;

    friend bool operator==(const DataSettings&, const DataSettings&) = default;
};

/// A training configuration: see interfaces of `headscope train`. Every key is optional.
struct TrainingConfig
{
    ModelConfig model; ///< vocabularySize 0: that of the tokenizer
    DataSettings data;
    Objective objective = Objective::Causal; ///< unless given, what the architecture is for
    OptimizerSettings optimizer;
    ScheduleSettings schedule; ///< totalSteps: `steps` unless given
    LossSettings loss;
    std::int64_t batchSize = 16;
    std::int64_t accumulate = 1; ///< parts of a batch, taken one after the other: less memory
    std::int64_t steps = 1000;
    std::uint64_t seed = 0;
    std::int64_t evalEvery = 0;       ///< 0: at the end
    std::int64_t checkpointEvery = 0; ///< 0: at the end
    std::int64_t logEvery = 10;
};

/// Unknown keys are refused with the nearest known name, wrong kinds and ranges with what is
/// wanted. Relative paths are looked for in `folder` first, then as they are.
TrainingConfig trainingConfigFromJson(const nlohmann::json& json, const std::string& where,
                                      const std::filesystem::path& folder = {});
TrainingConfig parseTrainingConfig(std::string_view text, const std::string& where,
                                   const std::filesystem::path& folder = {});
TrainingConfig loadTrainingConfig(const std::filesystem::path& path);

/// Everything, defaults included; reads back as the same configuration.
nlohmann::json toJson(const TrainingConfig& config);

} // namespace headscope
