#include "core/base/content_language.h"
#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/lab.h"
#include "core/model/config/presets.h"
#include "core/model/config/size_report.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

constexpr std::int64_t kOwnVocabulary = 2048; ///< Default vocabulary of MiniGPT.

/// Block of the original transformer (2017): d_model 512, 8 heads, d_ff 2048, biases.
ModelConfig oneBlock()
{
    ModelConfig config = presetConfig("transformer-base");
    config.architecture = Architecture::Encoder;
    config.layers = 1;
    config.vocabularySize = 1;
    config.languageHead = false;
    config.headBias = false;
    return config;
}

/// Published model with the user's changes.
struct Counted
{
    std::string name;
    ModelConfig config;
    SizeReport report;

    bool isBlock() const { return name == "block"; }

    std::int64_t total() const { return isBlock() ? report.block : report.total(); }

    /// Parameters of one more token.
    std::int64_t perWord() const
    {
        if (isBlock())
            return 0;
        ModelConfig larger = config;
        ++larger.vocabularySize;
        return sizeReport(larger).total() - report.total();
    }
};

Counted counted(const std::string& name, std::int64_t vocabulary = kOwnVocabulary,
                std::int64_t layers = 0, const std::string& tied = "own")
{
    Counted model{name, name == "block" ? oneBlock() : presetConfig(name), {}};
    ModelConfig& config = model.config;
    if (config.vocabularySize == 0)
        config.vocabularySize = vocabulary;
    if (layers > 0 && !model.isBlock())
        config.layers = layers;
    if (tied != "own" && !model.isBlock())
        config.tieEmbeddings = tied == "on";
    model.report = sizeReport(config);
    return model;
}

LabBars partBars(const Counted& model)
{
    const SizeReport& report = model.report;
    LabBars bars;
    const auto add = [&](const char* label, std::int64_t count) {
        bars.bars.push_back({message(label), static_cast<double>(count), grouped(count)});
    };
    if (!model.isBlock())
        add("embeddings", report.embeddings);
    add("attention", report.attention);
    add("feed-forward", report.feedForward);
    add("norms", report.norms);
    if (!model.isBlock())
        add("output", report.heads);
    std::ranges::max_element(bars.bars, {}, &LabBars::Bar::value)->isSubject = true;
    return bars;
}

/// Table of published models, with titles from `known`.
LabTable modelTable(const std::vector<Counted>& models, const LabControl& known,
                    const std::string& current)
{
    LabTable table{{"Model", "Layers", "Heads", "d_model", "d_ff", "Vocabulary", "Parameters"}};
    for (std::size_t i = 0; i < models.size(); ++i) {
        const Counted& model = models[i];
        const ModelConfig& config = model.config;
        const bool two = config.isEncoderDecoder();
        table.rows.push_back(
            {known.titleOf(model.name),
             two ? fmt::format("{} + {}", config.layers, config.decoderLayerCount())
                 : fmt::format("{}", config.layers),
             fmt::format("{}", config.heads), grouped(config.dModel), grouped(config.dFf),
             model.isBlock() ? message("none") : grouped(config.vocabularySize),
             grouped(model.total())});
        if (model.name == current)
            table.current = static_cast<int>(i);
    }
    return table;
}

std::vector<LabNumber> numbersOf(const Counted& model, const std::vector<Counted>& models,
                                 const LabControl& known)
{
    const SizeReport& report = model.report;
    const bool block = model.isBlock();
    const std::int64_t words = block ? 0 : model.config.vocabularySize;
    std::vector<LabNumber> numbers{
        labNumber("total", "Parameters", model.total()),
        labNumber("embeddings", "Embeddings", block ? 0 : report.embeddings),
        labNumber("attention", "Attention", report.attention),
        labNumber("feed_forward", "Feed-forward", report.feedForward),
        labNumber("norms", "Norms", report.norms),
        labNumber("output", "Output", block ? 0 : report.heads),
        labNumber("block", "One block", report.block),
        labNumber("layers", "Layers", model.config.layers),
        labNumber("heads", "Heads", model.config.heads),
        labNumber("d_model", "Width of the residual stream", model.config.dModel),
        labNumber("vocabulary", "Vocabulary", words),
        labNumber("per_word", "Parameters per token of the vocabulary", model.perWord()),
        labNumber("besides_vocabulary", "Without the vocabulary",
                  model.total() - model.perWord() * words)};
    for (const Counted& one : models) {
        std::string name = "total_" + one.name;
        std::ranges::replace(name, '-', '_');
        numbers.push_back(labNumber(name, known.titleOf(one.name), one.total()));
    }
    return numbers;
}

} // namespace

LabResult runParameters(const LabSettings& settings, const LabContext&, const std::stop_token&)
{
    const std::string& name = settings.text("model");
    const Counted model = counted(name, settings.integer("vocabulary"), settings.integer("layers"),
                                  settings.text("tied"));
    const LabControl& known = settings.control("model");
    std::vector<Counted> models;
    for (const std::string& choice : known.choices)
        models.push_back(counted(choice));
    const LabBars bars = partBars(model);
    const auto largest = std::ranges::find_if(bars.bars, &LabBars::Bar::isSubject);
    LabResult result;
    result.panels = {{"Where the parameters are", grouped(model.total()) + " in total", bars},
                     {"Models as published",
                      fmt::format("MiniGPT with {} tokens", grouped(kOwnVocabulary)),
                      modelTable(models, known, name)}};
    result.numbers = numbersOf(model, models, known);
    result.sentence =
        fmt::format("{} parameters, {} of them in each block. Most are in: {} ({:.0f} %).",
                    grouped(model.total()), grouped(model.report.block), largest->label,
                    100.0 * largest->value / static_cast<double>(model.total()));
    return result;
}

} // namespace headscope
