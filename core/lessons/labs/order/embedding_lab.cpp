#include "core/base/content_language.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/model/config/size_report.h"
#include "core/trace/trace_recorder.h"

#include <fmt/format.h>

#include <cmath>

namespace headscope {

namespace {

constexpr std::int64_t kShownChannels = 6;
constexpr std::uint64_t kSeed = 1;

const std::vector<std::string> kWords{"the", "cat", "sat", "on", "the", "mat"};
const std::vector<TokenId> kIds{0, 1, 2, 3, 0, 4};

/// Smallest untrained model of this width.
ModelConfig freshConfig(std::int64_t width, double scale)
{
    ModelConfig config;
    config.vocabularySize = 5;
    config.dModel = width;
    config.heads = 1;
    config.headDimension = 1;
    config.layers = 1;
    config.dFf = 0;
    config.maxLen = static_cast<std::int64_t>(kIds.size());
    config.positions = Positions::Sinusoidal;
    config.embeddingScale = scale;
    config.initialisation = Initialisation::FanIn;
    return config;
}

struct Embedded
{
    std::shared_ptr<const Tensor> words;
    std::shared_ptr<const Tensor> positions;
};

Embedded embed(std::int64_t width, double scale, AttentionBackend& backend)
{
    const Model model = Model::initialised(freshConfig(width, scale), kSeed);
    const TraceKey words{Site::Embed};
    const TraceKey positions{Site::PosEmbed};
    TraceRecorder recorder({words, positions}, static_cast<std::int64_t>(kIds.size()), nullptr);
    KvCache cache(model.config());
    model.forward(kIds, backend, cache, &recorder);
    const Trace::Activations sites = recorder.take();
    return {sites.at(words), sites.at(positions)};
}

LabPanel lookedUp(TensorView words)
{
    TensorView first = words;
    first.shape = Shape{words.shape[0], std::min(kShownChannels, words.shape[1])};
    LabMatrix matrix = matrixOf("word", "channel", first, true);
    for (std::size_t i = 0; i < kWords.size(); ++i)
        matrix.rowLabels[i] = message(fmt::format("{} (row {})", kWords[i], kIds[i]));
    return {"Embeddings", "The same word always selects the same row", std::move(matrix)};
}

std::int64_t parametersOf(std::int64_t vocabulary, std::int64_t width, bool isTied)
{
    ModelConfig config;
    config.vocabularySize = vocabulary;
    config.dModel = width;
    config.heads = 1;
    config.dFf = 4 * width;
    config.tieEmbeddings = isTied;
    return sizeReport(config).total();
}

} // namespace

LabResult runEmbedding(const LabSettings& settings, const LabContext& context,
                       const std::stop_token&)
{
    const std::int64_t width = settings.integer("d");
    const std::int64_t vocabulary = settings.integer("vocabulary");
    const bool isScaled = settings.isOn("scale");
    const double factor = std::sqrt(static_cast<double>(width));
    const auto backend = backendOf(context);
    const Embedded plain = embed(width, 1.0, *backend);
    const Embedded scaled = embed(width, factor, *backend);
    const double position = meanNorm(plain.positions->view());
    const double word = meanNorm(plain.words->view());
    const double large = meanNorm(scaled.words->view());
    const std::int64_t untied = parametersOf(vocabulary, width, false);
    const std::int64_t tied = parametersOf(vocabulary, width, true);
    const double saved = static_cast<double>(untied - tied);

    LabResult result;
    result.panels.push_back(lookedUp((isScaled ? scaled : plain).words->view()));
    result.panels.push_back({"Length of the vectors", "Embeddings and positions are added",
                             LabBars{"",
                                     {{message("position"), position},
                                      {message("word"), word, {}, !isScaled},
                                      {message("word \u00B7 \u221Ad"), large, {}, isScaled}}}});
    result.panels.push_back(
        {"Parameters of a model of 6 blocks", "Tied: one matrix for embedding and unembedding",
         LabBars{"",
                 {{message("untied"), static_cast<double>(untied), grouped(untied)},
                  {message("tied"), static_cast<double>(tied), grouped(tied), true}}}});
    result.numbers = {{"d", "Width", static_cast<double>(width)},
                      {"factor", "\u221Ad", factor},
                      {"position_norm", "Position, length", position},
                      {"word_norm", "Word, length", word},
                      {"word_norm_scaled", "Word \u00B7 \u221Ad", large},
                      {"ratio", "Word to position", word / position},
                      {"ratio_scaled", "Word \u00B7 \u221Ad to position", large / position},
                      {"parameters_untied", "Untied", static_cast<double>(untied)},
                      {"parameters_tied", "Tied", static_cast<double>(tied)},
                      {"saved", "Saved by weight tying", saved},
                      {"saved_percent", "Fraction saved by weight tying",
                       100.0 * saved / static_cast<double>(untied), "%"}};
    result.sentence =
        fmt::format("Embeddings are {:.2f} times as long as positions. Weight tying saves {} "
                    "parameters, {:.1f} % of the model.",
                    (isScaled ? large : word) / position, grouped(untied - tied),
                    100.0 * saved / static_cast<double>(untied));
    putFirst(result, "ratio_scaled");
    return result;
}

} // namespace headscope
