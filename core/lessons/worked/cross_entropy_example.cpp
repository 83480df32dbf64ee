#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/lessons/worked/attention_steps.h"
#include "core/lessons/worked/example_inputs.h"
#include "core/lessons/worked/example_list.h"
#include "core/ops/cross_entropy.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace headscope {

namespace {

/// Targets as class indices; nothing for ignored ones.
std::vector<std::optional<int>> checkedTargets(const WorkedMatrix& targets,
                                               const WorkedMatrix& logits)
{
    if (targets.rows() != logits.rows() || targets.columns() != 1)
        throw ShapeError("each row of logits needs one target");
    std::vector<std::optional<int>> classes;
    for (const double value : targets.values) {
        const bool ignored = value == kIgnoreIndex;
        if (!ignored && (value != std::floor(value) || value < 0 || value >= logits.columns()))
            throw Error(fmt::format("{} is not a valid target", value), inQuotes(targets.name),
                        fmt::format("Type the index of a word, 0 to {}, or {} for no target",
                                    logits.columns() - 1, kIgnoreIndex));
        classes.push_back(ignored ? std::nullopt : std::optional(static_cast<int>(value)));
    }
    if (std::ranges::none_of(classes, [](const auto& each) { return each.has_value(); }))
        throw Error("no row has a target, so there is no loss to average", inQuotes(targets.name),
                    "Give at least one row the index of a word");
    return classes;
}

class CrossEntropyWalk
{
public:
    CrossEntropyWalk(ExampleBuilder& builder, const ExampleInputs& inputs);

    void walk();

private:
    int column(std::string name, std::string title, std::string formula);
    int likeLogits(std::string name, std::string title, std::string formula, CellRole role);
    int losses(int probabilities);
    int mean(int losses);
    void perplexity(int loss);
    int oneHot();
    int differences(int probabilities, int oneHot);
    void gradient(int differences);

    std::string index(int row) const { return rowIndex(m_builder.at(m_logits), row); }

    Operand zero() const { return constant("0", 0); }

    ExampleBuilder& m_builder;
    int m_logits = -1;
    int m_targetMatrix = -1;
    std::vector<std::optional<int>> m_targets;
    int m_kept = 0;
};

const char* const kIgnored = "This row has no target (ignore index) and adds nothing.";

CrossEntropyWalk::CrossEntropyWalk(ExampleBuilder& builder, const ExampleInputs& inputs)
    : m_builder(builder)
{
    m_logits = builder.input(inputs.matrix("logits"), {"", "Logits", "z"});
    m_targetMatrix = builder.input(inputs.matrix("targets"), {"", "Index of the next word", "y"});
    m_targets = checkedTargets(builder.at(m_targetMatrix), builder.at(m_logits));
    m_kept = static_cast<int>(
        std::ranges::count_if(m_targets, [](const auto& each) { return each.has_value(); }));
}

int CrossEntropyWalk::column(std::string name, std::string title, std::string formula)
{
    return m_builder.matrix({std::move(name), std::move(title), std::move(formula)},
                            m_builder.at(m_logits).rowLabels, {""});
}

int CrossEntropyWalk::likeLogits(std::string name, std::string title, std::string formula,
                                 CellRole role)
{
    return m_builder.matrix({std::move(name), std::move(title), std::move(formula), role},
                            m_builder.at(m_logits).rowLabels, m_builder.at(m_logits).columnLabels);
}

/// Loss of each row: -ln of the probability of its target.
int CrossEntropyWalk::losses(int probabilities)
{
    const int chosen = column("chosen", "Probability of the next word", "p_y");
    m_builder.stage("Pick", "p_y", {probabilities, m_targetMatrix, chosen}, {"·", "→"});
    for (int row = 0; row < m_builder.at(chosen).rows(); ++row) {
        const auto target = m_targets[static_cast<std::size_t>(row)];
        m_builder.step(
            Operation::Copy, {target ? cell(probabilities, row, *target) : constant("1", 1)},
            {chosen, row, 0}, fmt::format("p_{{{}, y}}", index(row)),
            target ? "The probability of the word that came next."
                   : std::string(kIgnored) + " Its probability counts as 1, whose logarithm is 0.");
    }
    const int logs = column("logs", "Logarithm", "\\ln p_y");
    const int losses = column("losses", "Loss of each word", "-\\ln p_y");
    m_builder.stage("Loss", "-\\ln p_y", {chosen, logs, losses}, {"→", "→"});
    for (int row = 0; row < m_builder.at(logs).rows(); ++row) {
        m_builder.step(Operation::Logarithm, {cell(chosen, row, 0)}, {logs, row, 0},
                       fmt::format("\\ln p_{{{}, y}}", index(row)));
        m_builder.step(Operation::Subtract, {zero(), cell(logs, row, 0)}, {losses, row, 0},
                       fmt::format("-\\ln p_{{{}, y}}", index(row)));
    }
    return losses;
}

int CrossEntropyWalk::mean(int losses)
{
    const int loss = m_builder.matrix({"loss", "Mean loss", "L", CellRole::Result}, {""}, {""});
    m_builder.stage("Mean", "L = \\frac{1}{N} \\sum -\\ln p_y", {losses, loss}, {"→"});
    std::vector<Operand> kept;
    for (int row = 0; row < m_builder.at(losses).rows(); ++row)
        if (m_targets[static_cast<std::size_t>(row)])
            kept.push_back(cell(losses, row, 0));
    m_builder.step(Operation::Mean, std::move(kept), {loss, 0, 0},
                   "L = \\frac{1}{N} \\sum -\\ln p_y");
    return loss;
}

void CrossEntropyWalk::perplexity(int loss)
{
    const int perplexity =
        m_builder.matrix({"perplexity", "Perplexity", "e^L", CellRole::Result}, {""}, {""});
    m_builder.stage("Perplexity", "e^L", {loss, perplexity}, {"→"});
    m_builder.step(Operation::Exponential, {cell(loss, 0, 0)}, {perplexity, 0, 0}, "e^L",
                   "As uncertain as a choice among this many equally likely words.");
}

int CrossEntropyWalk::oneHot()
{
    const int oneHot = likeLogits("one_hot", "One-hot target", "y", CellRole::Plain);
    m_builder.stage("Target", "y", {m_targetMatrix, oneHot}, {"→"});
    for (int row = 0; row < m_builder.at(oneHot).rows(); ++row)
        for (int word = 0; word < m_builder.at(oneHot).columns(); ++word) {
            const bool isTarget = m_targets[static_cast<std::size_t>(row)] == word;
            m_builder.step(Operation::Copy, {isTarget ? constant("1", 1) : zero()},
                           {oneHot, row, word},
                           fmt::format("y_{}", cellIndex(m_builder.at(oneHot), row, word)),
                           isTarget ? "This word came next." : "Another word.");
        }
    return oneHot;
}

int CrossEntropyWalk::differences(int probabilities, int oneHot)
{
    const int differences = likeLogits("differences", "p − y", "p - y", CellRole::Plain);
    m_builder.stage("Difference", "p - y", {probabilities, oneHot, differences}, {"−", "="});
    for (int row = 0; row < m_builder.at(differences).rows(); ++row)
        for (int word = 0; word < m_builder.at(differences).columns(); ++word) {
            const std::string at = cellIndex(m_builder.at(differences), row, word);
            if (m_targets[static_cast<std::size_t>(row)])
                m_builder.step(Operation::Subtract,
                               {cell(probabilities, row, word), cell(oneHot, row, word)},
                               {differences, row, word}, fmt::format("p_{0} - y_{0}", at));
            else
                m_builder.step(Operation::Copy, {zero()}, {differences, row, word},
                               fmt::format("p_{0} - y_{0}", at), kIgnored);
        }
    return differences;
}

void CrossEntropyWalk::gradient(int differences)
{
    const int gradient = likeLogits("gradient", "Gradient", "\\frac{p - y}{N}", CellRole::Result);
    m_builder.stage("Gradient", "\\frac{p - y}{N}", {differences, gradient}, {"→"});
    const Operand count = constant("N", m_kept);
    for (int row = 0; row < m_builder.at(gradient).rows(); ++row)
        for (int word = 0; word < m_builder.at(gradient).columns(); ++word)
            m_builder.step(Operation::Divide, {cell(differences, row, word), count},
                           {gradient, row, word},
                           fmt::format("g_{0} = \\frac{{p_{0} - y_{0}}}{{N}}",
                                       cellIndex(m_builder.at(gradient), row, word)));
}

void CrossEntropyWalk::walk()
{
    const int probabilities =
        softmaxStages(m_builder, m_logits, {"probabilities", "Probabilities", "p", "z"});
    perplexity(mean(losses(probabilities)));
    gradient(differences(probabilities, oneHot()));
}

} // namespace

ExampleInputs crossEntropyInputs()
{
    const std::vector<std::string> rows = {"The", "The cat", "The cat sat"};
    ExampleInputs inputs;
    inputs.example = "cross-entropy";
    inputs.matrices = {inputMatrix("logits", rows, {"The", "cat", "sat", "on"},
                                   {0, 2, 1, 0, 0, 1, 2, 1, 1, 0, 0, 1}),
                       inputMatrix("targets", rows, {"target"}, {1, 2, kIgnoreIndex})};
    return inputs;
}

WorkedExample workCrossEntropy(const ExampleInputs& inputs)
{
    ExampleBuilder builder(inputs.example, "Cross-entropy and its gradient");
    CrossEntropyWalk(builder, inputs).walk();
    return builder.finish();
}

} // namespace headscope
