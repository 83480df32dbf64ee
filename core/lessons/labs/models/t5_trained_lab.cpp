#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/lessons/labs/training/trained_sequences.h"
#include "core/ops/relative_bias.h"
#include "core/text/display_text.h"
#include "core/train/measures/translations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

constexpr const char* kConfig = "t5-toy";
constexpr std::int64_t kReach = 10; ///< Largest distance shown.
constexpr std::int64_t kPairs = 64;

/// Relative-position biases of one stack by distance.
struct BiasTable
{
    std::vector<std::int64_t> distances; ///< Key position - query position.
    std::vector<std::vector<double>> heads;
};

BiasTable biasesOf(const Model& model, Stack stack)
{
    const ModelConfig& config = model.config();
    const bool isEncoder = stack == Stack::Encoder;
    const TensorView weights =
        model.parameters().view(isEncoder ? "enc.rel_bias.weight" : "dec.rel_bias.weight");
    const RelativeBuckets buckets{config.relativeBuckets, config.relativeMaxDistance, isEncoder};
    BiasTable table;
    for (std::int64_t distance = -kReach; distance <= (isEncoder ? kReach : 0); ++distance)
        table.distances.push_back(distance);
    for (std::int64_t head = 0; head < config.heads; ++head) {
        table.heads.emplace_back();
        for (const std::int64_t distance : table.distances)
            table.heads.back().push_back(
                static_cast<double>(weights(buckets.bucketOf(distance), head)));
    }
    return table;
}

double largestOf(const BiasTable& table)
{
    double largest = 0.0;
    for (const auto& head : table.heads)
        for (const double value : head)
            largest = std::max(largest, std::abs(value));
    return largest;
}

/// Biases of one stack before and after training.
struct BiasChange
{
    BiasTable before;
    BiasTable after;
};

double largestChange(const BiasChange& change)
{
    double largest = 0.0;
    for (std::size_t head = 0; head < change.after.heads.size(); ++head)
        for (std::size_t i = 0; i < change.after.distances.size(); ++i)
            largest = std::max(
                largest, std::abs(change.after.heads[head][i] - change.before.heads[head][i]));
    return largest;
}

/// Two rows per head.
LabMatrix biasMatrix(const BiasChange& change, double largest)
{
    LabMatrix matrix{"head", "distance"};
    for (const std::int64_t distance : change.after.distances)
        matrix.columnLabels.push_back(fmt::format("{}", distance));
    for (std::size_t head = 0; head < change.after.heads.size(); ++head) {
        for (const auto& [name, table] :
             {std::pair("head {}, before", &change.before), std::pair("head {}", &change.after)}) {
            matrix.rowLabels.push_back(fmt::format(fmt::runtime(message(name)), head));
            const std::vector<double>& values = table->heads[head];
            matrix.values.insert(matrix.values.end(), values.begin(), values.end());
        }
    }
    matrix.low = -largest;
    matrix.high = largest;
    matrix.isSigned = true;
    matrix.decimals = 1;
    return matrix;
}

/// The same model with all biases 0.
Model withoutBiases(const Model& model)
{
    ParameterSet parameters = model.parameters();
    for (const char* name : {"enc.rel_bias.weight", "dec.rel_bias.weight"}) {
        const MutableTensorView weights = parameters.view(name);
        for (std::int64_t bucket = 0; bucket < weights.shape[0]; ++bucket)
            std::fill_n(&weights(bucket, 0), weights.shape[1], 0.0F);
    }
    return Model(model.config(), std::move(parameters));
}

/// A trained model, the same one before training and without its biases.
struct Three
{
    Model before;
    const Model& after;
    Model without;
};

LabTable answersOf(const Three& models, const PreparedData& data, const std::string& source,
                   AttentionBackend& backend, const std::stop_token& stop)
{
    const auto written = [&](const Model& model) {
        const std::shared_ptr<const Model> borrowed(std::shared_ptr<const Model>(), &model);
        return displayText(translate({"t5", borrowed, data.tokenizer}, backend, source, 1, stop));
    };
    return {{"Model", "Answer"},
            {{message("before training"), written(models.before)},
             {message("after training"), written(models.after)},
             {message("after training, biases 0"), written(models.without)},
             {message("reversed"), {source.rbegin(), source.rend()}}},
            1};
}

void requireSource(const std::string& source, const ModelConfig& config)
{
    const auto longest = static_cast<std::size_t>(config.maxLen) - 1;
    if (source.empty() || source.size() > longest)
        throw Error(fmt::format("a source of {} symbols cannot be reversed", source.size()),
                    "Source", fmt::format("Type 1 to {} symbols", longest));
}

} // namespace

LabResult runT5Trained(const LabSettings& settings, const LabContext& context,
                       const std::stop_token& stop)
{
    const std::string& source = settings.text("source");
    const auto trained = trainSequences(kConfig, settings.integer("steps"), context, stop);
    const Model& after = *trained->training.model;
    requireSource(source, after.config());
    const auto backend = backendOf(context);
    const Three models{Model::initialised(after.config(), trained->training.config.seed), after,
                       withoutBiases(after)};
    const auto exact = [&](const Model& model) {
        return translateHeldOut(model, trained->data, *backend, {.pairs = kPairs}, stop).exact;
    };
    const auto change = [&](Stack stack) {
        return BiasChange{biasesOf(models.before, stack), biasesOf(after, stack)};
    };
    const BiasChange encoder = change(Stack::Encoder);
    const BiasChange decoder = change(Stack::Decoder);
    const double largest = std::max(largestOf(encoder.after), largestOf(decoder.after));
    const double right = exact(after);
    const double without = exact(models.without);

    LabResult result;
    result.panels = {
        {"Biases of the encoder", "Added to each score, by distance: key - query",
         biasMatrix(encoder, largest)},
        {"Biases of the decoder", "Earlier keys only", biasMatrix(decoder, largest)},
        {"Answers", "Greedy decoding", answersOf(models, trained->data, source, *backend, stop)}};
    result.numbers = {{"exact_before", "Exact before training", 100.0 * exact(models.before), "%"},
                      {"exact", "Exact after training", 100.0 * right, "%"},
                      {"exact_without", "Exact with biases 0", 100.0 * without, "%"},
                      {"change", "Largest change of a bias",
                       std::max(largestChange(encoder), largestChange(decoder))},
                      {"largest", "Largest bias after training", largest},
                      {"loss", "Last training loss", trained->training.losses.y.back(), "nats"},
                      {"steps", "Training steps", settings.number("steps")},
                      {"seconds", "Training time", trained->training.seconds, "s", true}};
    result.sentence = fmt::format(
        "After {} steps {:.0f} % of {} held-out sources are reversed exactly; with all biases set "
        "to 0 it is {:.0f} %.",
        settings.integer("steps"), 100.0 * right, kPairs, 100.0 * without);
    putFirst(result, "exact");
    return result;
}

} // namespace headscope
