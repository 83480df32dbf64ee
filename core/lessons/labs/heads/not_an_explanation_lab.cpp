#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/heads/head_behaviour.h"
#include "core/lessons/labs/heads/head_matrix.h"
#include "core/ops/cross_entropy.h"
#include "core/tensor/largest.h"
#include "core/text/display_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace headscope {

namespace {

/// Prompt, the word that seems relevant, and the expected next token.
struct Question
{
    std::string name;
    std::string prompt;
    std::string word; ///< Attended word; empty: whichever a head attends to most.
    std::string next; ///< Next token; empty: the model's own top-1 token.
};

const std::vector<Question> kQuestions{
    {"agreement", "The keys near the table", "keys", " are"},
    {"pronoun", "The animal didn't cross the street because it was too tired. So the", "animal",
     " animal"},
    {"yours", {}, {}, {}}};

/// Prompt tokenised for one model.
struct Asked
{
    LoadedModel model;
    TokenSequence tokens;
    std::vector<std::size_t> word; ///< Token positions of the word.
    TokenId next = 0;
};

/// Attention on the word and causal effect of every head.
struct Measured
{
    std::vector<std::vector<double>> looks;   ///< [layer][head]: weight on the word.
    std::vector<std::vector<double>> matters; ///< [layer][head]: increase of the loss when ablated.
    double loss = 0.0;                        ///< Loss in nats without ablation.
};

/// Loss -ln P(next) at the last token.
double lossOf(const Trace& trace, TokenId next)
{
    const auto logits = trace.find({Site::Logits});
    const std::int64_t last = logits->shape()[0] - 1;
    const TensorView row(logits->data() + last * logits->shape()[1], {1, logits->shape()[1]});
    const std::int32_t target = next;
    return crossEntropy(row, {&target, 1}, {});
}

TokenId mostProbable(const Trace& trace)
{
    const auto logits = trace.find({Site::Logits});
    const std::int64_t width = logits->shape()[1];
    const float* row = logits->data() + (logits->shape()[0] - 1) * width;
    return static_cast<TokenId>(largestIndex({row, static_cast<std::size_t>(width)}));
}

std::vector<std::size_t> tokensOf(const TokenSequence& tokens, const std::string& word)
{
    std::vector<std::size_t> places;
    const std::size_t begin = word.empty() ? std::string::npos : tokens.text.find(word);
    for (std::size_t i = 0; begin != std::string::npos && i < tokens.size(); ++i) {
        const Token& token = tokens.tokens[i];
        if (!token.special && token.bytes.begin < begin + word.size() && begin < token.bytes.end)
            places.push_back(i);
    }
    return places;
}

Asked ask(const Question& question, const LabContext& context)
{
    const bool own = question.name == "yours";
    Asked asked{own ? openLabModel(context) : labModel(context, "builtin:stories"), {}, {}, 0};
    const ModelConfig& config = asked.model.model->config();
    if (config.isEncoderDecoder() || !config.languageHead)
        throw Error("this lab needs a model that predicts the next token", asked.model.name,
                    "Open builtin:stories");
    const Tokenizer& tokenizer = *asked.model.tokenizer;
    const std::string& prompt = own ? context.text : question.prompt;
    const auto withMark = [&](const std::string& text) {
        TokenSequence tokens = tokenizer.encode(text, false);
        if (const auto mark = tokenizer.endOfText())
            tokens.tokens.insert(tokens.tokens.begin(), Token{*mark, {}, true});
        return tokens;
    };
    asked.tokens = withMark(prompt);
    asked.tokens.tokens.resize(
        std::min(asked.tokens.size(), static_cast<std::size_t>(config.maxLen)));
    asked.word = tokensOf(asked.tokens, question.word);
    if (!question.next.empty())
        asked.next = withMark(prompt + question.next).tokens.at(asked.tokens.size()).id;
    return asked;
}

/// Attention weight of the last token on the word; without a word, its largest weight on any token
/// except the first and itself.
double weightOnWord(TensorView pattern, const std::vector<std::size_t>& word)
{
    const std::int64_t last = pattern.shape[0] - 1;
    double weight = 0.0;
    for (const std::size_t place : word)
        weight += static_cast<double>(pattern(last, place));
    for (std::int64_t key = 1; word.empty() && key < last; ++key)
        weight = std::max(weight, static_cast<double>(pattern(last, key)));
    return weight;
}

Measured measure(Asked& asked, bool expectsOwn, const LabContext& context,
                 const std::stop_token& stop)
{
    Tracer tracer(asked.model, backendOf(context));
    const TracePtr whole = tracer.trace(asked.tokens, {{"logits", "*attn.hook_pattern"}}, {}, stop);
    if (expectsOwn)
        asked.next = mostProbable(*whole);
    Measured measured;
    measured.loss = lossOf(*whole, asked.next);
    const int layers = whole->layerCount();
    for (int layer = 0; layer < layers; ++layer) {
        const auto pattern = whole->find({Site::Pattern, layer});
        auto& looks = measured.looks.emplace_back();
        auto& matters = measured.matters.emplace_back();
        for (int head = 0; head < whole->headCount(); ++head) {
            looks.push_back(weightOnWord(pattern->view()[head], asked.word));
            Interventions without;
            without.ablatedHeads = {{layer, head}};
            const TracePtr trace = tracer.trace(asked.tokens, {{"logits"}}, without, stop);
            matters.push_back(lossOf(*trace, asked.next) - measured.loss);
        }
        reportProgress(context, (layer + 1.0) / layers);
    }
    if (measured.looks.empty())
        throw Error("this model has no attention head to ablate", asked.model.name,
                    "Open builtin:stories");
    return measured;
}

/// Pearson correlation of two maps; 1 would make attention an explanation.
double correlationOf(const std::vector<std::vector<double>>& one,
                     const std::vector<std::vector<double>>& other)
{
    double count = 0.0;
    double sums[5] = {}; // x, y, xx, yy, xy
    for (std::size_t layer = 0; layer < one.size(); ++layer)
        for (std::size_t head = 0; head < one[layer].size(); ++head) {
            const double x = one[layer][head];
            const double y = other[layer][head];
            sums[0] += x;
            sums[1] += y;
            sums[2] += x * x;
            sums[3] += y * y;
            sums[4] += x * y;
            count += 1.0;
        }
    const double xx = sums[2] - sums[0] * sums[0] / count;
    const double yy = sums[3] - sums[1] * sums[1] / count;
    return xx > 0.0 && yy > 0.0 ? (sums[4] - sums[0] * sums[1] / count) / std::sqrt(xx * yy) : 0.0;
}

double largestSize(const std::vector<std::vector<double>>& values)
{
    double largest = 1e-6;
    for (const auto& row : values)
        for (const double value : row)
            largest = std::max(largest, std::abs(value));
    return largest;
}

/// Row of the table below the maps.
struct Row
{
    std::string who;
    int layer = 0;
    int head = 0;

    double of(const std::vector<std::vector<double>>& map) const
    {
        return map[static_cast<std::size_t>(layer)][static_cast<std::size_t>(head)];
    }
};

LabTable rowsTable(const std::vector<Row>& rows, const Measured& measured)
{
    LabTable table{{"Head", "Layer and head", "Weight", "P when ablated"}};
    for (const Row& row : rows)
        table.rows.push_back(
            {message(row.who), fmt::format("L{}H{}", row.layer, row.head),
             fmt::format("{:.3f}", row.of(measured.looks)),
             fmt::format("{:.3f}", std::exp(-measured.loss - row.of(measured.matters)))});
    table.current = 2;
    return table;
}

std::vector<LabNumber> numbersOf(const std::vector<Row>& rows, const Measured& measured)
{
    std::vector<LabNumber> numbers{
        labNumber("probability", "P, no ablation", std::exp(-measured.loss)),
        labNumber("loss", "Loss, no ablation", measured.loss, "nats"),
        labNumber("correlation", "Correlation of the two maps",
                  correlationOf(measured.looks, measured.matters))};
    const char* const names[] = {"looks", "matters", "chosen"};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::string name = names[i];
        const Row& row = rows[i];
        numbers.push_back(labNumber(name + "_layer", row.who + ": layer", std::int64_t{row.layer}));
        numbers.push_back(labNumber(name + "_head", row.who + ": head", std::int64_t{row.head}));
        numbers.push_back(
            labNumber(name + "_weight", row.who + ": weight", row.of(measured.looks)));
        numbers.push_back(
            labNumber(name + "_change", row.who + ": loss", row.of(measured.matters), "nats"));
        numbers.push_back(labNumber(name + "_probability", row.who + ": P when ablated",
                                    std::exp(-measured.loss - row.of(measured.matters))));
    }
    return numbers;
}

std::vector<Row> rowsOf(const Measured& measured, const LabSettings& settings)
{
    const HeadMap looks = bestOf(measured.looks);
    const HeadMap matters = bestOf(measured.matters);
    const auto layers = static_cast<std::int64_t>(measured.looks.size());
    const auto heads = static_cast<std::int64_t>(measured.looks.front().size());
    return {{"Attends most", looks.layer, looks.head},
            {"Largest effect", matters.layer, matters.head},
            {"Selected head", static_cast<int>(std::min(settings.integer("layer"), layers - 1)),
             static_cast<int>(std::min(settings.integer("head"), heads - 1))}};
}

} // namespace

LabResult runNotAnExplanation(const LabSettings& settings, const LabContext& context,
                              const std::stop_token& stop)
{
    const Question& question = chosenEntry(kQuestions, settings, "sentence");
    Asked asked = ask(question, context);
    const Measured measured = measure(asked, question.next.empty(), context, stop);
    const std::vector<Row> rows = rowsOf(measured, settings);
    std::string next = displayText(asked.model.tokenizer->tokenBytes(asked.next));
    if (next.starts_with(' '))
        next.erase(0, 1);
    const double size = largestSize(measured.matters);
    LabResult result;
    result.panels = {
        {"Attention weight",
         question.word.empty() ? "largest weight of the last token on another token"
                               : fmt::format("weight of the last token on \"{}\"", question.word),
         headMatrix(measured.looks, 0.0, 1.0, false)},
        {"Effect of ablation",
         fmt::format("loss of log-probability of \"{}\" when ablated, in nats", next),
         headMatrix(measured.matters, -size, size, true)},
        {fmt::format("P(\"{}\") = {:.3f} without ablation", next, std::exp(-measured.loss)),
         "one head ablated at a time", rowsTable(rows, measured)}};
    result.numbers = numbersOf(rows, measured);
    const Row& looks = rows[0];
    const Row& matters = rows[1];
    result.sentence = fmt::format(
        "L{}H{} attends most (weight {:.2f}); ablating it changes P(\"{}\") from {:.3f} to {:.3f}. "
        "L{}H{} has the largest effect; ablating it changes P to {:.3f}, at a weight of {:.2f}.",
        looks.layer, looks.head, looks.of(measured.looks), next, std::exp(-measured.loss),
        std::exp(-measured.loss - looks.of(measured.matters)), matters.layer, matters.head,
        std::exp(-measured.loss - matters.of(measured.matters)), matters.of(measured.looks));
    return result;
}

} // namespace headscope
