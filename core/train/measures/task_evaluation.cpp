#include "core/train/measures/task_evaluation.h"

#include "core/analysis/scores/pattern_scores.h"
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/train/measures/head_means.h"
#include "core/train/measures/model_probe.h"
#include "core/train/measures/ngram_baseline.h"
#include "core/train/measures/target_accuracy.h"
#include "core/train/measures/task_heads.h"
#include "core/train/measures/translations.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace headscope {

namespace {

/// Number of symbols in a random sequence (Olsson et al. 2022).
constexpr std::size_t kPeriod = 25;

class Evaluation
{
public:
    Evaluation(const Model& model, const PreparedData& data, AttentionBackend& backend,
               const EvaluationSettings& settings, TrainingTask task)
        : m_probe(model, *data.tokenizer, backend)
        , m_backend(backend)
        , m_data(data)
        , m_task(task)
        , m_settings(settings)
    {
    }

    void heldOutTargets(const char* accuracyName)
    {
        const TargetAccuracy accuracy = measureTargets(m_probe.model(), *m_data.batches, m_backend);
        if (accuracy.targets == 0)
            return;
        addNumber("validation_loss", accuracy.loss);
        addNumber(accuracyName, accuracy.tokens);
    }

    void baselines()
    {
        for (const int order : m_settings.ngramOrders) {
            const NgramBaseline baseline(m_data.text->trainingTokens(), order,
                                         m_data.model.vocabularySize);
            addNumber(fmt::format("kneser_ney_{}_loss", order),
                      baseline.validationLoss(*m_data.batches));
        }
    }

    void storyQuestions()
    {
        ask("agreement", agreementCases);
        ask("predicate", predicateCases);
        if (m_task != TrainingTask::Stories)
            return;
        ask("antecedent", antecedentCases);
        ask("names", nameCases);
        ask("gender", genderCases);
        ask("headline", headlineCases);
    }

    void storyHeads()
    {
        look("subject_verb", subjectVerbCases);
        if (m_task != TrainingTask::Stories)
            return;
        look("pronoun", pronounCases);
        look("meaning", meaningCases);
    }

    /// Measures on rows of held-out text.
    void previousTokenHead()
    {
        if (m_data.batches->validationBatchCount() == 0)
            return;
        const Batch batch = m_data.batches->validationBatch(0);
        HeadMeans means;
        for (std::int64_t row = 0; row < batch.rows; ++row) {
            const auto ids = batchRow(batch.inputs, batch.length, row);
            means.add(scoreHeads(m_probe.patterns(ids), previousTokenScore));
        }
        m_result.heads.push_back(means.best("previous_token"));
    }

    /// Builds <|endoftext|> r r with r of random symbols, all different, so that a perfect head
    /// scores 1.
    void repeatHeads()
    {
        auto symbols = symbolIds(*m_data.tokenizer);
        const std::size_t period = std::min<std::size_t>(
            kPeriod, static_cast<std::size_t>(m_probe.model().config().maxLen - 1) / 2);
        Random random(m_settings.seed);
        HeadMeans induction;
        HeadMeans duplicate;
        HeadMeans previous;
        for (std::size_t repeat = 0; repeat < m_settings.repeats; ++repeat) {
            for (std::size_t i = 0; i < period; ++i)
                std::swap(symbols[i], symbols[i + random.below(symbols.size() - i)]);
            std::vector<TokenId> ids{*m_data.tokenizer->endOfText()};
            for (std::size_t i = 0; i < 2 * period; ++i)
                ids.push_back(symbols[i % period]);
            const auto patterns = m_probe.patterns(ids);
            induction.add(scoreHeads(patterns, [&](TensorView pattern) {
                return inductionStripe(pattern, static_cast<std::int64_t>(period), 1);
            }));
            duplicate.add(scoreHeads(patterns, [&](TensorView pattern) {
                return duplicateStripe(pattern, static_cast<std::int64_t>(period), 1);
            }));
            previous.add(scoreHeads(patterns, previousTokenScore));
        }
        m_result.heads.push_back(induction.best("induction"));
        m_result.heads.push_back(previous.best("previous_token"));
        m_result.heads.push_back(duplicate.best("duplicate_token"));
    }

    TaskEvaluation result() { return std::move(m_result); }

private:
    void addNumber(const std::string& name, double value)
    {
        m_result.numbers.push_back({name, value});
    }

    using MakeQuestions = std::vector<ContinuationCase> (*)(std::uint64_t, std::size_t);
    using MakePairAttentions = std::vector<AttentionTargetCase> (*)(std::uint64_t, std::size_t);

    void ask(const char* name, MakeQuestions makeCases)
    {
        auto questions = makeCases(m_settings.seed, m_settings.cases);
        std::erase_if(questions, [this](const ContinuationCase& question) {
            return !m_probe.fits(question.prompt + question.right) ||
                   !m_probe.fits(question.prompt + question.wrong);
        });
        if (!questions.empty())
            addNumber(name, m_probe.fractionOfPassed(questions));
    }

    void look(const char* name, MakePairAttentions makeCases)
    {
        HeadMeans means;
        for (const AttentionTargetCase& question : makeCases(m_settings.seed, m_settings.cases)) {
            if (m_probe.fits(question.text))
                means.add(m_probe.attentionOn(question));
        }
        if (!means.empty())
            m_result.heads.push_back(means.best(name));
    }

    ModelProbe m_probe;
    AttentionBackend& m_backend;
    const PreparedData& m_data;
    TrainingTask m_task;
    const EvaluationSettings& m_settings;
    TaskEvaluation m_result;
};

/// Evaluates Masked and Seq2seq.
TaskEvaluation evaluateTargets(const Model& model, const TrainingConfig& config,
                               const PreparedData& data, AttentionBackend& backend)
{
    const TargetAccuracy accuracy = measureTargets(model, *data.batches, backend);
    TaskEvaluation result;
    result.numbers.push_back({"validation_loss", accuracy.loss});
    result.numbers.push_back({"token_accuracy", accuracy.tokens});
    if (config.objective == Objective::Masked) {
        if (accuracy.pairs > 0)
            result.numbers.push_back({"next_sentence_accuracy", accuracy.pairsRight});
        result.heads = neighbourHeads(model, data, backend);
        return result;
    }
    result.numbers.push_back({"sequence_accuracy", accuracy.rows});
    if (config.data.task == TrainingTask::Phrases)
        result.numbers.push_back({"bleu", translateHeldOut(model, data, backend).bleu.score()});
    if (const auto head = crossHead(model, config.data, data, backend))
        result.heads.push_back(*head);
    return result;
}

TaskEvaluation evaluateQuestions(const Model& model, const TrainingConfig& config,
                                 const PreparedData& data, AttentionBackend& backend)
{
    const TargetAccuracy accuracy = measureTargets(model, *data.batches, backend);
    TaskEvaluation result;
    result.numbers.push_back({"validation_loss", accuracy.loss});
    result.numbers.push_back({"answer_accuracy", accuracy.tokens});
    if (config.data.task == TrainingTask::Brackets) {
        if (const auto head = bracketHead(model, data, backend))
            result.heads.push_back(*head);
    }
    return result;
}

template<class Entries>
const auto& named(const Entries& entries, std::string_view name)
{
    for (const auto& entry : entries) {
        if (entry.name == name)
            return entry;
    }
    throw Error(fmt::format("no measure is named \"{}\"", name), "TaskEvaluation");
}

} // namespace

double TaskEvaluation::number(std::string_view name) const
{
    return named(numbers, name).value;
}

const TaskEvaluation::BestHead& TaskEvaluation::head(std::string_view name) const
{
    return named(heads, name);
}

TaskEvaluation evaluateTask(const Model& model, const TrainingConfig& config,
                            const PreparedData& data, AttentionBackend& backend,
                            const EvaluationSettings& settings)
{
    if (data.tokenizer == nullptr || data.batches == nullptr)
        throw Error("there is no text to evaluate on", "evaluateTask",
                    "Use a configuration with a task or a text");
    const TrainingTask task = config.data.task;
    if (config.objective != Objective::Causal)
        return evaluateTargets(model, config, data, backend);
    if (task == TrainingTask::Brackets || task == TrainingTask::Order)
        return evaluateQuestions(model, config, data, backend);
    Evaluation evaluation(model, data, backend, settings, task);
    evaluation.heldOutTargets(task == TrainingTask::Repeat ? "copy_accuracy" : "token_accuracy");
    if (data.text != nullptr)
        evaluation.baselines();
    if (task == TrainingTask::Stories || task == TrainingTask::Agreement) {
        evaluation.storyQuestions();
        evaluation.storyHeads();
    }
    if (task == TrainingTask::Repeat)
        evaluation.repeatHeads();
    else
        evaluation.previousTokenHead();
    return evaluation.result();
}

nlohmann::json toJson(const TaskEvaluation& evaluation)
{
    nlohmann::json json{{"heads", nlohmann::json::object()}};
    for (const auto& number : evaluation.numbers)
        json[number.name] = number.value;
    for (const auto& head : evaluation.heads)
        json["heads"][head.name] = {
            {"layer", head.id.layer}, {"head", head.id.head}, {"score", head.score}};
    return json;
}

std::string toText(const TaskEvaluation& evaluation)
{
    std::string text;
    for (const auto& number : evaluation.numbers)
        text += fmt::format("{:<22} {:.3f}\n", number.name, number.value);
    for (const auto& head : evaluation.heads)
        text += fmt::format("{:<22} {:.3f}  L{}H{}\n", head.name + " head", head.score,
                            head.id.layer, head.id.head);
    return text;
}

} // namespace headscope
