#pragma once

#include "core/model/model.h"
#include "core/train/prepared_data.h"

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

    struct Head
    {
        std::string name; ///< "subject_verb"
        int layer = 0;
        int head = 0;
        double score = 0.0; ///< mean attention where the head should look
    };

    std::vector<Number> numbers;
    std::vector<Head> heads; ///< the best head of the model for each

    double number(std::string_view name) const; ///< throws Error for a name that is not there
    const Head& head(std::string_view name) const;
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

/// The objectives Masked and Seq2seq: validation_loss, token_accuracy, and for Seq2seq
/// sequence_accuracy, see target_accuracy.h. Every causal task: validation_loss, previous_token
/// head. Text: kneser_ney_N_loss on the same held-out targets. Stories: agreement, predicate,
/// antecedent, names, gender, headline (story_cases.h) and the heads subject_verb, pronoun ("it" to
/// the subject before it is clear what is meant), meaning
/// ("It" afterwards, to what is meant rather than to the other noun). Repeat: copy_accuracy on the
/// held-out targets, and on random symbols shown twice the heads induction and duplicate_token.
/// Cases longer than the model's max_len are left out; without any left, so is the number.
TaskEvaluation evaluateTask(const Model& model, const TrainingConfig& config,
                            const PreparedData& data, AttentionBackend& backend,
                            const EvaluationSettings& settings = {});

} // namespace headscope
