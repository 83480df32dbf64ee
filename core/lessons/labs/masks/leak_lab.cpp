#include "core/base/content_language.h"
#include "core/generate/sampling.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/lessons/labs/training/short_training.h"
#include "core/model/config/mask_choice.h"
#include "core/text/display_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

constexpr std::size_t kLastSteps = 10; ///< Number of steps averaged for the final loss.

/// Forward pass under a mask: the output at every position of a text.
class MaskedRun
{
public:
    MaskedRun(const LoadedModel& model, bool isCausal, std::unique_ptr<AttentionBackend> backend)
        : m_model(model.model)
        , m_isCausal(isCausal)
        , m_backend(std::move(backend))
    {
    }

    Tensor outputs(const std::vector<TokenId>& ids, const std::stop_token& stop)
    {
        Interventions interventions;
        MaskChoice::parse(m_isCausal ? "causal" : "none")
            .applyTo(interventions, static_cast<std::int64_t>(ids.size()));
        KvCache cache(m_model->config());
        return m_model->forward(ids, *m_backend, cache, nullptr, interventions, stop);
    }

private:
    std::shared_ptr<const Model> m_model;
    bool m_isCausal;
    std::unique_ptr<AttentionBackend> m_backend;
};

/// Change of the next-token distribution, in percent; without one, |other - row| / |row|.
double changeOf(TensorView row, TensorView other, bool predicts)
{
    if (predicts) {
        const auto size = static_cast<std::size_t>(row.shape[0]);
        return 100.0 * movedFraction(samplingDistribution({row.data, size}, {}),
                                     samplingDistribution({other.data, size}, {}));
    }
    double squares = 0.0;
    for (std::int64_t i = 0; i < row.shape[0]; ++i)
        squares += std::pow(static_cast<double>(other(i)) - static_cast<double>(row(i)), 2);
    const double size = rowNorm(row);
    return size > 0.0 ? 100.0 * std::sqrt(squares) / size : 0.0;
}

/// Sensitivity [n, n]: change of the output at a row when the token of a column is replaced.
Tensor influence(const std::vector<TokenId>& ids, const ModelConfig& config, MaskedRun& run,
                 const std::stop_token& stop)
{
    const auto count = static_cast<std::int64_t>(ids.size());
    const Tensor plain = run.outputs(ids, stop);
    Tensor result(Shape{count, count});
    for (std::int64_t word = 0; word < count; ++word) {
        std::vector<TokenId> other = ids;
        TokenId& changed = other[static_cast<std::size_t>(word)];
        changed =
            static_cast<TokenId>((changed + config.vocabularySize / 2) % config.vocabularySize);
        const Tensor outputs = run.outputs(other, stop);
        for (std::int64_t row = 0; row < count; ++row)
            result.view()(row, word) = static_cast<float>(
                changeOf(plain.view()[row], outputs.view()[row], config.languageHead));
    }
    return result;
}

LabTable answersInSight(TensorView changes, const std::vector<std::string>& words)
{
    LabTable table{{"token", "must predict", "change when the answer changes"}};
    for (std::size_t row = 0; row + 1 < words.size(); ++row)
        table.rows.push_back({words[row], words[row + 1],
                              fmt::format("{:.1f} %", static_cast<double>(changes(row, row + 1)))});
    if (table.rows.empty())
        table.rows.push_back({words.front(), message("nothing: a single token"), "-"});
    return table;
}

/// Influence of later tokens: all entries above the diagonal.
struct Leaks
{
    double largest = 0.0; ///< Largest change, in percent.
    double answers = 0.0; ///< Rows influenced by the next token.
};

Leaks leaksOf(TensorView changes)
{
    Leaks leaks;
    for (std::int64_t row = 0; row < changes.shape[0]; ++row) {
        for (std::int64_t word = row + 1; word < changes.shape[0]; ++word) {
            const auto change = static_cast<double>(changes(row, word));
            leaks.largest = std::max(leaks.largest, change);
            leaks.answers += word == row + 1 && change > 0.0 ? 1.0 : 0.0;
        }
    }
    return leaks;
}

LabMatrix influenceMatrix(TensorView changes, const std::vector<std::string>& words)
{
    LabMatrix matrix = matrixOf("output position", "changed token", changes);
    matrix.rowLabels = matrix.columnLabels = words;
    for (const double value : matrix.values)
        matrix.masked.push_back(value == 0.0);
    matrix.low = 0.0;
    matrix.high = std::max(matrix.high, 1.0);
    matrix.decimals = 0;
    return matrix;
}

} // namespace

LabResult runLeak(const LabSettings& settings, const LabContext& context,
                  const std::stop_token& stop)
{
    const LoadedModel model = decoderOf(context);
    const TokenSequence tokens =
        sentenceOf(context, model, static_cast<std::size_t>(settings.integer("words")));
    const std::vector<std::string> words = tokenLabels(model, tokens);
    const auto changesUnder = [&](bool isCausal) {
        MaskedRun run(model, isCausal, backendOf(context));
        return influence(tokens.ids(), model.model->config(), run, stop);
    };
    const Tensor masked = changesUnder(true);
    const Tensor open = changesUnder(false);
    const Tensor& shown = settings.isOn("mask") ? masked : open;
    const Leaks now = leaksOf(shown.view());
    const Leaks without = leaksOf(open.view());

    LabResult result;
    result.panels = {{"Influence of each token on each output",
                      "Change of the next-token distribution, in percent",
                      influenceMatrix(shown.view(), words)},
                     {"Can it read its answer?", {}, answersInSight(shown.view(), words)}};
    result.numbers = {{"future_change", "Change by later tokens", now.largest, "%"},
                      {"answers", "Answers readable", now.answers},
                      {"questions", "Questions", static_cast<double>(words.size()) - 1.0},
                      {"change_with", "With the mask", leaksOf(masked.view()).largest, "%"},
                      {"change_without", "Without the mask", without.largest, "%"},
                      {"answers_without", "Answers without it", without.answers}};
    result.sentence =
        now.largest == 0.0
            ? "No later token changes any output: all entries above the diagonal are exactly 0."
            : fmt::format("Later tokens change up to {:.0f} % of the probability: {} of "
                          "{} rows can read the answer that they should predict.",
                          now.largest, now.answers, words.size() - 1);
    return result;
}

LabResult runLeakTrained(const LabSettings& settings, const LabContext& context,
                         const std::stop_token& stop)
{
    auto trainings = shortTrainings("mask-missing", {"no-mask", "mask"}, settings.integer("steps"));
    for (ShortTraining& training : trainings)
        training.config.seed = static_cast<std::uint64_t>(settings.integer("seed"));
    const PreparedData data = trainShortly(trainings, context, stop);
    LabBars losses{"nats"};
    LabTable written{{"model", "generated text", "occurs in the text"}};
    LabResult result;
    for (std::size_t i = 0; i < trainings.size(); ++i) {
        throwIfStopped(stop);
        const ShortTraining& training = trainings[i];
        const std::string suffix = i == 0 ? "_without" : "_with";
        const double seen = meanOfLast(kLastSteps, training.losses.y);
        const double past =
            measureShortly(Measure::PrefixLoss, training, data, context).number("prefix_loss");
        const VariantResult text = measureShortly(Measure::WrittenText, training, data, context);
        const double known = 100.0 * text.number("written_known");
        losses.bars.push_back({message(training.label + ", as trained"), seen, {}, i == 0});
        losses.bars.push_back({message(training.label + ", past only"), past, {}, i == 0});
        written.rows.push_back(
            {training.label, displayText(text.sample), fmt::format("{:.0f} %", known)});
        result.numbers.push_back({"loss" + suffix, training.label + ", as trained", seen, "nats"});
        result.numbers.push_back({"past" + suffix, training.label + ", past only", past, "nats"});
        result.numbers.push_back({"known" + suffix, training.label + ", in the text", known, "%"});
    }
    const auto value = [&](const char* name) { return result.number(name).value; };
    result.sentence = fmt::format("Without the mask the loss falls to {:.2f}, with it to {:.2f}. "
                                  "In generation, when there is "
                                  "no next token to read, it is {:.2f} against {:.2f}.",
                                  value("loss_without"), value("loss_with"), value("past_without"),
                                  value("past_with"));
    result.panels = {
        lossCurves(trainings),
        {"Loss in training and in generation", "Past only: later tokens hidden", std::move(losses)},
        {"Generated text", "Fraction of token triples that occur in the training text",
         std::move(written)}};
    return result;
}

} // namespace headscope
