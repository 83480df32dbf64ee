#include "core/train/task_evaluation.h"

#include "core/analysis/head_scores.h"
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/train/model_probe.h"
#include "core/train/ngram_baseline.h"
#include "core/train/target_accuracy.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace headscope {

namespace {

using HeadTable = std::vector<std::vector<double>>; ///< [layer][head]

/// Means of tables of the same shape.
class HeadMeans
{
public:
    void add(const HeadTable& table)
    {
        m_sums.resize(table.size());
        for (std::size_t layer = 0; layer < table.size(); ++layer) {
            m_sums[layer].resize(table[layer].size());
            for (std::size_t head = 0; head < table[layer].size(); ++head)
                m_sums[layer][head] += table[layer][head];
        }
        ++m_count;
    }

    bool empty() const { return m_count == 0; }

    TaskEvaluation::Head best(const std::string& name) const
    {
        TaskEvaluation::Head result{name, 0, 0, -1.0};
        for (std::size_t layer = 0; layer < m_sums.size(); ++layer) {
            for (std::size_t head = 0; head < m_sums[layer].size(); ++head) {
                const double mean = m_sums[layer][head] / static_cast<double>(m_count);
                if (mean > result.score)
                    result = {name, static_cast<int>(layer), static_cast<int>(head), mean};
            }
        }
        return result;
    }

private:
    HeadTable m_sums;
    std::size_t m_count = 0;
};

template<class Score>
HeadTable scoreHeads(const std::vector<Tensor>& patterns, Score score)
{
    HeadTable table;
    for (const Tensor& pattern : patterns) {
        auto& heads = table.emplace_back();
        for (std::int64_t head = 0; head < pattern.shape()[0]; ++head)
            heads.push_back(score(pattern.view()[head]));
    }
    return table;
}

double negativeLogProbability(const float* logits, std::int64_t count, TokenId target)
{
    const float largest = *std::max_element(logits, logits + count);
    double sum = 0.0;
    for (std::int64_t i = 0; i < count; ++i)
        sum += std::exp(static_cast<double>(logits[i]) - static_cast<double>(largest));
    return std::log(sum) + static_cast<double>(largest) - static_cast<double>(logits[target]);
}

constexpr std::size_t kPeriod = 25; ///< symbols of a random sequence (Olsson et al. 2022)

class Evaluation
{
public:
    Evaluation(const Model& model, const PreparedData& data, AttentionBackend& backend,
               const EvaluationSettings& settings)
        : m_probe(model, *data.tokenizer, backend)
        , m_data(data)
        , m_settings(settings)
    {
    }

    void heldOutTargets(bool withAccuracy)
    {
        for (std::int64_t i = 0; i < m_data.batches->validationBatchCount(); ++i)
            readBatch(m_data.batches->validationBatch(i));
        if (m_targets == 0)
            return;
        const auto count = static_cast<double>(m_targets);
        addNumber("validation_loss", m_loss / count);
        if (withAccuracy)
            addNumber("copy_accuracy", static_cast<double>(m_correct) / count);
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
        using MakeCases = std::vector<ContinuationCase> (*)(std::uint64_t, std::size_t);
        const std::pair<const char*, MakeCases> kinds[] = {
            {"agreement", agreementCases},   {"predicate", predicateCases},
            {"antecedent", antecedentCases}, {"names", nameCases},
            {"gender", genderCases},         {"headline", headlineCases}};
        for (const auto& [name, makeCases] : kinds) {
            auto questions = makeCases(m_settings.seed, m_settings.cases);
            std::erase_if(questions, [this](const ContinuationCase& question) {
                return !m_probe.fits(question.prompt + question.right) ||
                       !m_probe.fits(question.prompt + question.wrong);
            });
            if (!questions.empty())
                addNumber(name, m_probe.shareOfPassed(questions));
        }
    }

    void storyHeads()
    {
        using MakeCases = std::vector<GazeCase> (*)(std::uint64_t, std::size_t);
        const std::pair<const char*, MakeCases> kinds[] = {{"subject_verb", subjectVerbCases},
                                                           {"pronoun", pronounCases},
                                                           {"meaning", meaningCases}};
        for (const auto& [name, makeCases] : kinds) {
            HeadMeans means;
            for (const GazeCase& question : makeCases(m_settings.seed, m_settings.cases)) {
                if (m_probe.fits(question.text))
                    means.add(m_probe.attentionOn(question));
            }
            if (!means.empty())
                m_result.heads.push_back(means.best(name));
        }
    }

    /// On rows of held-out text.
    void previousTokenHead()
    {
        if (m_data.batches->validationBatchCount() == 0)
            return;
        const Batch batch = m_data.batches->validationBatch(0);
        HeadMeans means;
        for (std::int64_t row = 0; row < batch.rows; ++row) {
            const auto ids = std::span(batch.inputs)
                                 .subspan(static_cast<std::size_t>(row * batch.length),
                                          static_cast<std::size_t>(batch.length));
            means.add(scoreHeads(m_probe.patterns(ids), previousTokenScore));
        }
        m_result.heads.push_back(means.best("previous_token"));
    }

    /// <|endoftext|> r r with r of random symbols, all different, so that a perfect head scores 1.
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

    void readBatch(const Batch& batch)
    {
        const auto length = static_cast<std::size_t>(batch.length);
        for (std::size_t row = 0; row < static_cast<std::size_t>(batch.rows); ++row) {
            const Tensor logits =
                m_probe.logits(std::span(batch.inputs).subspan(row * length, length));
            const std::int64_t count = logits.shape()[1];
            for (std::size_t i = 0; i < length; ++i) {
                const TokenId target = batch.targets[row * length + i];
                if (target == kIgnoredTarget)
                    continue;
                const float* scores = &logits.view()(i, 0);
                m_loss += negativeLogProbability(scores, count, target);
                m_correct += std::max_element(scores, scores + count) - scores == target ? 1 : 0;
                ++m_targets;
            }
        }
    }

    ModelProbe m_probe;
    const PreparedData& m_data;
    const EvaluationSettings& m_settings;
    TaskEvaluation m_result;
    double m_loss = 0.0;
    std::int64_t m_correct = 0;
    std::int64_t m_targets = 0;
};

TaskEvaluation evaluateTargets(const Model& model, Objective objective, const BatchSource& batches,
                               AttentionBackend& backend)
{
    const TargetAccuracy accuracy = measureTargets(model, batches, backend);
    TaskEvaluation result;
    result.numbers.push_back({"validation_loss", accuracy.loss});
    result.numbers.push_back({"token_accuracy", accuracy.tokens});
    if (objective == Objective::Seq2seq)
        result.numbers.push_back({"sequence_accuracy", accuracy.rows});
    return result;
}

template<class Entries>
const auto& named(const Entries& entries, std::string_view name)
{
    for (const auto& entry : entries) {
        if (entry.name == name)
            return entry;
    }
    throw Error(fmt::format("nothing called \"{}\" was measured", name), "TaskEvaluation");
}

} // namespace

double TaskEvaluation::number(std::string_view name) const
{
    return named(numbers, name).value;
}

const TaskEvaluation::Head& TaskEvaluation::head(std::string_view name) const
{
    return named(heads, name);
}

TaskEvaluation evaluateTask(const Model& model, const TrainingConfig& config,
                            const PreparedData& data, AttentionBackend& backend,
                            const EvaluationSettings& settings)
{
    if (data.tokenizer == nullptr || data.batches == nullptr)
        throw Error("there is no text to ask about", "evaluateTask",
                    "Use a configuration with a task or a text");
    if (config.objective != Objective::Causal)
        return evaluateTargets(model, config.objective, *data.batches, backend);
    Evaluation evaluation(model, data, backend, settings);
    evaluation.heldOutTargets(config.data.task == TrainingTask::Repeat);
    if (data.text != nullptr)
        evaluation.baselines();
    if (config.data.task == TrainingTask::Stories) {
        evaluation.storyQuestions();
        evaluation.storyHeads();
    }
    if (config.data.task == TrainingTask::Repeat)
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
            {"layer", head.layer}, {"head", head.head}, {"score", head.score}};
    return json;
}

std::string toText(const TaskEvaluation& evaluation)
{
    std::string text;
    for (const auto& number : evaluation.numbers)
        text += fmt::format("{:<22} {:.3f}\n", number.name, number.value);
    for (const auto& head : evaluation.heads)
        text += fmt::format("{:<22} {:.3f}  L{}H{}\n", head.name + " head", head.score, head.layer,
                            head.head);
    return text;
}

} // namespace headscope
