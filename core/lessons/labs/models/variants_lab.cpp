#include "core/base/content_language.h"
#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/models/known_models.h"
#include "core/model/config/size_report.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

constexpr std::int64_t kBytes = 2; ///< Of one value in the cache: 16 bits.

bool sharesOne(const ModelConfig& c)
{
    return c.keyHeadCount() == 1 && c.heads > 1;
}

std::string sharingOf(const ModelConfig& c)
{
    if (c.isLatent())
        return "MLA";
    if (sharesOne(c))
        return "MQA";
    return c.keyHeadCount() < c.heads ? "GQA" : "MHA";
}

std::int64_t cacheOf(const ModelConfig& config, std::int64_t tokens)
{
    return kvCacheBytes(config, tokens, kBytes);
}

/// The same model with a key and a value for every query head.
std::int64_t cacheOfAllHeads(const ModelConfig& config, std::int64_t tokens)
{
    ModelConfig each = config;
    each.keyHeads = 0;
    if (config.isLatent()) {
        each.headDimension = config.latent.valueDim;
        each.latent = {};
    }
    return cacheOf(each, tokens);
}

std::string positionsText(const ModelConfig& c)
{
    switch (c.positions) {
    case Positions::None:
        return message("none");
    case Positions::Sinusoidal:
        return message("sinusoidal");
    case Positions::Learned:
        return message("learned");
    case Positions::Rope:
        return "RoPE";
    case Positions::Alibi:
        return "ALiBi";
    case Positions::RelativeBuckets:
        return message("relative (T5)");
    }
    return {};
}

std::string activationText(const ModelConfig& c)
{
    switch (c.activation) {
    case Activation::Relu:
        return "ReLU";
    case Activation::GeluExact:
    case Activation::GeluTanh:
        return "GELU";
    case Activation::Silu:
        return "SiLU";
    case Activation::SwiGlu:
    case Activation::ClampedSwiGlu:
        return "SwiGLU";
    case Activation::GeGlu:
    case Activation::GeGluExact:
        return "GeGLU";
    }
    return {};
}

/// Parameters that only the positions have.
std::int64_t positionParameters(const ModelConfig& config)
{
    ModelConfig without = config;
    without.positions = Positions::None;
    return sizeReport(config).total() - sizeReport(without).total();
}

std::int64_t feedForwardParameters(const KnownModel& model)
{
    return model.isCounted ? sizeReport(model.config).feedForward : 0;
}

std::string countedText(const KnownModel& model, std::int64_t count)
{
    return model.isCounted ? grouped(count) : message("not counted");
}

/// Fraction of all parameters.
std::string fractionText(const KnownModel& model, std::int64_t count)
{
    const auto all = static_cast<double>(sizeReport(model.config).total());
    return model.isCounted ? fmt::format("{:.2f} %", 100.0 * static_cast<double>(count) / all)
                           : message("not counted");
}

LabTable sharingTable(std::int64_t tokens)
{
    LabTable table{{"Model", "Source", "Sharing", "Heads", "KV heads", "Cache", "Saving"}};
    for (const KnownModel& model : knownModels()) {
        const ModelConfig& c = model.config;
        if (!c.hasDecoder())
            continue;
        const std::int64_t own = cacheOf(c, tokens);
        const double saving =
            static_cast<double>(cacheOfAllHeads(c, tokens)) / static_cast<double>(own);
        table.rows.push_back(
            {model.name, model.source, sharingOf(c), grouped(c.heads),
             c.isLatent() ? fmt::format("r {} + {}", c.latent.keyValueRank, c.latent.ropeDim)
                          : grouped(c.keyHeadCount()),
             bytesText(static_cast<double>(own)), fmt::format("{:.1f} ×", saving)});
    }
    return table;
}

LabTable positionsTable()
{
    LabTable table{{"Model", "Source", "Positions", "Trained length", "Parameters of positions"}};
    for (const KnownModel& model : knownModels())
        table.rows.push_back({model.name, model.source, positionsText(model.config),
                              grouped(model.config.maxLen),
                              grouped(positionParameters(model.config))});
    return table;
}

LabTable normsTable()
{
    LabTable table{
        {"Model", "Source", "Normalisation", "Place", "Parameters of norms", "Fraction"}};
    for (const KnownModel& model : knownModels()) {
        const ModelConfig& c = model.config;
        table.rows.push_back(
            {model.name, model.source, c.norm == Norm::Rms ? "RMSNorm" : "LayerNorm",
             message(c.normPosition == NormPosition::Post ? "after the sublayer"
                                                          : "before the sublayer"),
             grouped(sizeReport(c).norms), fractionText(model, sizeReport(c).norms)});
    }
    return table;
}

LabTable activationsTable()
{
    LabTable table{{"Model", "Source", "Activation", "Matrices", "d_ff / d",
                    "Feed-forward parameters", "Fraction"}};
    for (const KnownModel& model : knownModels()) {
        const ModelConfig& c = model.config;
        std::string matrices = c.isGated() ? "3" : "2";
        if (c.experts.count > 0)
            matrices = fmt::format("{} × {}", c.experts.count, matrices);
        table.rows.push_back(
            {model.name, model.source, activationText(c), matrices,
             fmt::format("{:.2f}", static_cast<double>(c.dFf) / static_cast<double>(c.dModel)),
             countedText(model, feedForwardParameters(model)),
             fractionText(model, feedForwardParameters(model))});
    }
    return table;
}

std::vector<LabPanel> panelsOf(const std::string& part, std::int64_t tokens)
{
    if (part == "positions")
        return {{"Positions by family", "the parameters are counted", positionsTable()}};
    if (part == "norms")
        return {{"Norms by family", "the parameters are counted", normsTable()}};
    if (part == "activations")
        return {{"Activations by family", "a gate is a third matrix", activationsTable()}};
    return {{"Sharing by family",
             fmt::format("KV cache of {} tokens in 16 bits, and how many times smaller than with a "
                         "key for every head",
                         grouped(tokens)),
             sharingTable(tokens)}};
}

std::vector<LabNumber> numbersOf(std::int64_t tokens)
{
    const ModelConfig& latent = knownModel("DeepSeek-V2").config;
    const ModelConfig& bert = knownModel("BERT base").config;
    const auto own = static_cast<double>(cacheOf(latent, tokens));
    const auto each = static_cast<double>(cacheOfAllHeads(latent, tokens));
    const auto count = [](const char* sharing) {
        return static_cast<double>(
            std::ranges::count_if(knownModels(), [&](const KnownModel& model) {
                return model.config.hasDecoder() && sharingOf(model.config) == sharing;
            }));
    };
    return {labNumber("models", "Models", static_cast<std::int64_t>(knownModels().size())),
            labNumber("tokens", "Tokens", tokens),
            labNumber("mla_bytes", "Cache of DeepSeek-V2", own, "B"),
            labNumber("mla_bytes_each", "With a key and a value for every head", each, "B"),
            labNumber("mla_saving", "Reduction by the latent", each / own),
            labNumber("mla_per_token", "Cache of DeepSeek-V2 per token",
                      static_cast<double>(cacheOf(latent, 1)), "B"),
            labNumber("llama_bytes", "Cache of Llama 3 70B",
                      static_cast<double>(cacheOf(knownModel("Llama 3 70B").config, tokens)), "B"),
            labNumber("bert_positions", "Parameters of BERT’s positions", positionParameters(bert)),
            labNumber("sinusoid_positions", "Parameters of the 2017 positions",
                      positionParameters(knownModel("Transformer base").config)),
            labNumber("mha", "With a key for every head", count("MHA")),
            labNumber("gqa", "Grouped-query", count("GQA")),
            labNumber("mqa", "Multi-query", count("MQA")),
            labNumber("mla", "Latent", count("MLA"))};
}

} // namespace

LabResult runVariants(const LabSettings& settings, const LabContext&, const std::stop_token&)
{
    const std::int64_t tokens = settings.integer("tokens");
    LabResult result;
    result.panels = panelsOf(settings.text("part"), tokens);
    result.numbers = numbersOf(tokens);
    result.sentence = fmt::format(
        "DeepSeek-V2 caches {} for {} tokens, {:.1f} times less than with a key and a value for each of "
        "its {} heads; Llama 3 70B caches {}.",
        bytesText(result.number("mla_bytes").value), grouped(tokens),
        result.number("mla_saving").value, knownModel("DeepSeek-V2").config.heads,
        bytesText(result.number("llama_bytes").value));
    return result;
}

} // namespace headscope
