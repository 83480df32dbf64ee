#pragma once

#include "core/model/model.h"
#include "core/train/data/prepared_data.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace headscope {

/// What a trained model can do, in named numbers, and the heads that do it.
struct TaskEvaluation
{
    struct Number
    {
        std::string name; ///< "agreement": shares from 0 to 1; "..._loss": nats a token
        double value = 0.0;
    };

    struct BestHead
    {
        std::string name; ///< "subject_verb"
        HeadId id;
        double score = 0.0; ///< mean attention where the head should look
    };

    std::vector<Number> numbers;
    std::vector<BestHead> heads; ///< the best head of the model for each

    double number(std::string_view name) const; ///< throws Error for a name that is not there
    const BestHead& head(std::string_view name) const;
};

nlohmann::json toJson(const TaskEvaluation& evaluation);
std::string toText(const TaskEvaluation& evaluation); ///< one line each, for people

struct EvaluationSettings
{
    std::uint64_t seed = 20'000'001; ///< of the test cases
    std::size_t cases = 240;         ///< of each kind
    std::size_t repeats = 32;        ///< random sequences for the induction and duplicate stripes
    std::vector<int> ngramOrders = {3}; ///< Kneser-Ney baselines; building one takes seconds
};

/// On the held-out targets always validation_loss and an accuracy (target_accuracy.h):
/// Seq2seq: token_accuracy, sequence_accuracy, and one head of cross-attention (task_heads.h).
/// Masked: token_accuracy, heads previous_token and next_token. Brackets, Order: answer_accuracy;
/// Brackets also the head bracket_match. Repeat: copy_accuracy, and on random symbols shown twice
/// the heads induction, previous_token and duplicate_token. Text: token_accuracy, the head
/// previous_token, and kneser_ney_N_loss on the same targets. Stories and Agreement, besides:
/// agreement, predicate (story_cases.h), the head subject_verb. Stories, besides: antecedent,
/// names, gender, headline and the heads pronoun ("it" to the subject before it is clear what is
/// meant) and meaning ("It" afterwards, to what is meant rather than to the other noun).
/// Cases longer than the model's max_len are left out; without any left, so is the number.
TaskEvaluation evaluateTask(const Model& model, const TrainingConfig& config,
                            const PreparedData& data, AttentionBackend& backend,
                            const EvaluationSettings& settings = {});

} // namespace headscope
