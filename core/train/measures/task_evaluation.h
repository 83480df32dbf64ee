#pragma once

#include "core/model/model.h"
#include "core/train/data/prepared_data.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace headscope {

/// Abilities of a trained model as named numbers, and the heads behind them.
struct TaskEvaluation
{
    struct Number
    {
        /// For example "agreement": fractions from 0 to 1; "..._loss": nats per token.
        std::string name;
        double value = 0.0;
    };

    struct BestHead
    {
        std::string name; ///< For example "subject_verb".
        HeadId id;
        double score = 0.0; ///< Mean attention weight on the expected key.
    };

    std::vector<Number> numbers;
    std::vector<BestHead> heads; ///< The best head of the model for each behaviour.

    double number(std::string_view name) const; ///< Throws Error for an unknown name.
    const BestHead& head(std::string_view name) const;
};

nlohmann::json toJson(const TaskEvaluation& evaluation);
/// Readable text, one line per number or head.
std::string toText(const TaskEvaluation& evaluation);

struct EvaluationSettings
{
    std::uint64_t seed = 20'000'001; ///< Seed of the test cases.
    std::size_t cases = 240;         ///< Number of cases of each kind.
    /// Number of random sequences for the induction and duplicate stripes.
    std::size_t repeats = 32;
    /// Orders of the Kneser-Ney baselines; building one takes seconds.
    std::vector<int> ngramOrders = {3};
};

/// Evaluates on the held-out targets, always with validation_loss and an accuracy
/// (target_accuracy.h):
///   Seq2seq: token_accuracy, sequence_accuracy, and one head of cross-attention (task_heads.h).
///   Phrases, additionally: bleu of the greedy translations (bleu.h, over characters).
///   Masked: token_accuracy, heads previous_token and next_token.
///   Brackets, Order: answer_accuracy; Brackets also the head bracket_match.
///   Repeat: copy_accuracy, and on random symbols shown twice the heads induction, previous_token
///   and duplicate_token.
///   Text: token_accuracy, the head previous_token, and kneser_ney_N_loss on the same targets.
///   Stories and Agreement, additionally: agreement, predicate (story_cases.h), the head
///   subject_verb.
///   Stories, additionally: antecedent, names, gender, headline and the heads pronoun ("it" to the
///   subject before its referent is clear) and meaning ("It" afterwards, to its referent rather
///   than to the other noun).
/// Cases longer than the model's max_len are left out; if none remain, so is the number.
TaskEvaluation evaluateTask(const Model& model, const TrainingConfig& config,
                            const PreparedData& data, AttentionBackend& backend,
                            const EvaluationSettings& settings = {});

} // namespace headscope
