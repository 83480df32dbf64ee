#pragma once

#include "core/model/config/model_config.h"
#include "core/train/data/repeat_task.h"
#include "core/train/trainer.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace headscope {

/// Tasks with generated data. Brackets and Order are questions (question_task.h); those from
/// Reverse on belong to the objective Seq2seq (sequence_task.h).
enum class TrainingTask {
    None,
    Stories,
    Agreement, ///< Only the story grammar's agreement sentences.
    Repeat,
    Brackets,
    Order,
    Reverse,
    Copy,
    Sort,
    Addition,
    Dates,
    Phrases
};

enum class Objective {
    Causal, ///< Predict the next token at every position.
    /// Predict masked tokens; with nextSentence in the model, also whether sentences follow each
    /// other.
    Masked,
    Seq2seq, ///< Predict the target from the source, by teacher forcing.
};

/// Training data: a task, else a text file, else a file of batches.
struct DataSettings
{
    TrainingTask task = TrainingTask::None;
    std::string text;                   ///< Path, or empty.
    std::string batches;                ///< Path, or empty.
    std::string tokenizer;              ///< Path; empty: trained on the text, or the task's own.
    std::int64_t vocabularySize = 1536; ///< Vocabulary size of a tokenizer that is trained.
    std::int64_t bytes = 13'000'000;    ///< Size of generated stories and sentences.
    std::uint64_t seed = 1;             ///< Seed of generated stories.
    RepeatTaskSettings::Variant variant = RepeatTaskSettings::Variant::Snippets;
    double repeatedRows = 0.0;  ///< Fraction of rows of text that are a random line, repeated.
    std::int64_t minLength = 3; ///< Symbols of a source or question, digits of a number.
    std::int64_t maxLength = 10;
    bool reversedSum = false;         ///< Sums are written from the last digit on.
    double validationFraction = 0.02; ///< Fraction of the documents that is held out.
    std::int64_t validationBatches = 8;

    friend bool operator==(const DataSettings&, const DataSettings&) = default;
};

/// A training configuration, see `headscope train`. Every key is optional.
struct TrainingConfig
{
    ModelConfig model; ///< With vocabularySize 0: that of the tokenizer.
    DataSettings data;
    Objective objective = Objective::Causal; ///< By default the one that fits the architecture.
    OptimizerSettings optimizer;
    ScheduleSettings schedule; ///< totalSteps: by default `steps`.
    LossSettings loss;
    std::int64_t batchSize = 16;
    /// Parts of a batch, processed one after the other (gradient accumulation): less memory.
    std::int64_t accumulate = 1;
    std::int64_t steps = 1000;
    std::uint64_t seed = 0;
    std::int64_t evalEvery = 0;       ///< 0: only at the end.
    std::int64_t checkpointEvery = 0; ///< 0: only at the end.
    std::int64_t logEvery = 10;
};

/// Unknown keys are refused with the nearest known name, wrong types and ranges with what is
/// expected. Relative paths are resolved in `folder` first, then as they are.
TrainingConfig trainingConfigFromJson(const nlohmann::json& json, const std::string& where,
                                      const std::filesystem::path& folder = {});
TrainingConfig parseTrainingConfig(std::string_view text, const std::string& where,
                                   const std::filesystem::path& folder = {});
TrainingConfig loadTrainingConfig(const std::filesystem::path& path);

/// All settings, including defaults; parsing them gives the same configuration.
nlohmann::json toJson(const TrainingConfig& config);

} // namespace headscope
