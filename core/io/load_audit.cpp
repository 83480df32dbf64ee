#include "core/io/load_audit.h"

#include "core/base/json_text.h"
#include "core/model/config/model_config_json.h"
#include "core/model/weights/running_statistics.h"
#include "core/trace/pattern_row.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace headscope {

namespace {

constexpr double kUniform = 0.98;      ///< Fraction of the entropy of a uniform row.
constexpr double kManyHeads = 0.9;     ///< So large a fraction of uniform heads is no coincidence.
constexpr std::int64_t kFewTokens = 4; ///< Shorter rows may be uniform by chance.
constexpr std::int64_t kMostRows = 32; ///< Rows that are read of a head.
constexpr std::size_t kNamesInWarning = 3;

std::string listed(const std::vector<std::string>& names)
{
    const std::size_t shown = std::min(names.size(), kNamesInWarning);
    std::string text;
    for (std::size_t i = 0; i < shown; ++i)
        text += (i == 0 ? "" : ", ") + inQuotes(names[i]);
    return shown < names.size() ? fmt::format("{} and {} more", text, names.size() - shown) : text;
}

void warnAboutNumbers(LoadAudit& audit)
{
    std::vector<std::string> broken;
    std::vector<std::string> constant;
    for (const AuditedTensor& tensor : audit.tensors) {
        if (tensor.numbers && tensor.numbers->firstNonFinite)
            broken.push_back(tensor.name);
        const bool matrix = tensor.shape.size() > 1; // gains of 1 and biases of 0 are common
        if (tensor.numbers && matrix && tensor.numbers->isConstant())
            constant.push_back(tensor.name);
    }
    if (!broken.empty())
        audit.warnings.push_back({"infinities or NaN in " + listed(broken),
                                  "The file is damaged: download it again and compare its "
                                  "checksum"});
    if (!constant.empty())
        audit.warnings.push_back(
            {"the same number throughout " + listed(constant),
             "These weights were never trained or never written: save the model again"});
}

void warnAboutGaps(LoadAudit& audit)
{
    if (!audit.zeros.empty())
        audit.warnings.push_back({"no tensor for " + listed(audit.zeros) + ", which are zeros",
                                  "You can ignore this if the model has no such biases"});
}

/// Entropy of one row in nats, and the largest that its visible keys allow. NaN with a weight that
/// is NaN.
struct RowEntropy
{
    double entropy = 0.0;
    double largest = 0.0;
};

RowEntropy entropyOf(std::span<const float> weights)
{
    RowEntropy row;
    std::int64_t visible = 0;
    for (const float weight : weights) {
        if (std::isnan(weight))
            return {std::numeric_limits<double>::quiet_NaN(), 0.0};
        if (weight > 0.0F) {
            row.entropy -= double{weight} * std::log(double{weight});
            ++visible;
        }
    }
    row.largest = visible > 0 ? std::log(static_cast<double>(visible)) : 0.0;
    return row;
}

/// Sum over rows of one head spread over the text, which a long text has too many of.
RowEntropy entropyOf(const Trace& trace, TraceKey pattern, int head)
{
    const std::int64_t queries = (*trace.shapeOf(pattern))[1];
    const std::int64_t rows = std::min(queries, kMostRows);
    RowEntropy sum;
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t query = (row + 1) * queries / rows - 1;
        const RowEntropy one = entropyOf(patternRow(trace, pattern, head, query));
        sum.entropy += one.entropy;
        sum.largest += one.largest;
    }
    return sum;
}

/// Number of heads of one layer with nearly uniform attention over all visible keys; -1 when one of
/// its weights is NaN.
int uniformHeads(const Trace& trace, TraceKey pattern)
{
    const std::int64_t heads = (*trace.shapeOf(pattern))[0];
    int uniform = 0;
    for (int head = 0; head < heads; ++head) {
        const RowEntropy sum = entropyOf(trace, pattern, head);
        if (std::isnan(sum.entropy))
            return -1;
        uniform += sum.largest > 0.0 && sum.entropy >= kUniform * sum.largest ? 1 : 0;
    }
    return uniform;
}

std::string headLayout(const ModelConfig& config)
{
    if (config.isLatent())
        return fmt::format("{} heads of {} channels, keys and values from a latent of {}",
                           config.heads, config.queryDim(), config.latent.keyValueRank);
    const std::int64_t keys = config.keyHeadCount();
    if (keys == config.heads)
        return fmt::format("{} heads of {} channels", config.heads, config.headDim());
    return fmt::format("{} heads of {} channels; {} query heads share each of {} key and value "
                       "heads",
                       config.heads, config.headDim(), config.heads / keys, keys);
}

std::string types(const LoadAudit& audit)
{
    std::vector<std::string> parts;
    for (const auto& [type, count] : audit.countByType())
        parts.push_back(fmt::format("{} in {}", count, type));
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string describe(const Tokenizer* tokenizer)
{
    return tokenizer == nullptr
               ? "none: texts are entered as ids"
               : fmt::format("{} of {} tokens", tokenizer->kind(), tokenizer->vocabularySize());
}

nlohmann::json toJson(const AuditedTensor& tensor)
{
    nlohmann::json json{{"name", tensor.name},
                        {"type", tensor.type},
                        {"shape", tensor.shape},
                        {"bytes", tensor.bytes},
                        {"parameters", tensor.parameters}};
    if (!tensor.numbers)
        return json;
    json["smallest"] = tensor.numbers->smallest;
    json["largest"] = tensor.numbers->largest;
    json["finite"] = !tensor.numbers->firstNonFinite.has_value();
    return json;
}

nlohmann::json toJson(const LogitsError& error)
{
    return {{"tokens", error.tokens},
            {"agreeing", error.agreeing},
            {"relative_rms", error.relativeRms}};
}

} // namespace

std::size_t LoadAudit::unusedCount() const
{
    return static_cast<std::size_t>(
        std::count_if(tensors.begin(), tensors.end(),
                      [](const AuditedTensor& tensor) { return tensor.parameters.empty(); }));
}

std::map<std::string, std::int64_t> LoadAudit::countByType() const
{
    std::map<std::string, std::int64_t> counts;
    for (const AuditedTensor& tensor : tensors)
        ++counts[tensor.type];
    return counts;
}

LoadAudit auditModel(const StoredModel& model, const std::vector<TensorNumbers>& numbers,
                     const Tokenizer* tokenizer)
{
    LoadAudit audit;
    audit.path = model.path;
    audit.format = model.format;
    audit.family = model.family;
    audit.tokenizer = describe(tokenizer);
    audit.config = model.config;
    audit.parameterCount = parameterCount(model.config);
    audit.zeros = model.zeros;
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        const ModelTensor& tensor = model.tensors[i];
        AuditedTensor& entry = audit.tensors.emplace_back();
        entry.name = tensor.name;
        entry.type = tensor.type;
        entry.shape = tensor.shape;
        entry.bytes = tensor.bytes.size();
        entry.parameters = tensor.parameters;
        if (i < numbers.size() && numbers[i].count > 0)
            entry.numbers = numbers[i];
        audit.tensorBytes += entry.bytes;
    }
    warnAboutNumbers(audit);
    warnAboutGaps(audit);
    return audit;
}

LoadAudit auditParameters(const Model& model, const Tokenizer* tokenizer)
{
    LoadAudit audit;
    audit.format = "floats";
    audit.family = "Headscope";
    audit.tokenizer = describe(tokenizer);
    audit.config = model.config();
    for (const ParameterSpec& spec : model.parameters().specs()) {
        AuditedTensor& entry = audit.tensors.emplace_back();
        entry.name = spec.name;
        entry.type = "F32";
        entry.shape.assign(spec.shape.begin(), spec.shape.end());
        entry.bytes = static_cast<std::uint64_t>(spec.shape.elementCount()) * sizeof(float);
        entry.parameters = {spec.name};
        const auto count = static_cast<std::size_t>(spec.shape.elementCount());
        entry.numbers = numbersOf({model.parameters().view(spec).data, count});
        audit.parameterCount += isRunningStatistic(spec.name) ? 0 : spec.shape.elementCount();
        audit.tensorBytes += entry.bytes;
    }
    warnAboutNumbers(audit);
    return audit;
}

void auditPatterns(LoadAudit& audit, const Trace& trace)
{
    int heads = 0;
    int uniform = 0;
    bool broken = false;
    for (const TraceKey key : trace.patternKeys()) {
        const Shape shape = *trace.shapeOf(key);
        if (key.site != Site::Pattern || shape[1] < kFewTokens)
            continue;
        const int ofLayer = uniformHeads(trace, key);
        broken = broken || ofLayer < 0;
        heads += static_cast<int>(shape[0]);
        uniform += std::max(ofLayer, 0);
    }
    if (broken)
        audit.warnings.push_back({"attention weights that are not numbers (NaN)",
                                  "Values overflow: check for damaged weights, or for a wrong "
                                  "epsilon or scale in the configuration"});
    else if (heads > 0 && uniform >= kManyHeads * heads)
        audit.warnings.push_back(
            {fmt::format("nearly uniform attention in {} of {} heads", uniform, heads),
             "The weights of queries and keys seem untrained or were not loaded: compare the "
             "tensors with the model's source (headscope models MODEL --tensors)"});
}

std::vector<std::pair<std::string, std::string>> factsOf(const LoadAudit& audit)
{
    const ModelConfig& config = audit.config;
    std::vector<std::pair<std::string, std::string>> facts;
    const auto add = [&](const char* name, std::string text) {
        facts.emplace_back(name, std::move(text));
    };
    add("file", audit.path);
    add("format", audit.format + ", " + audit.family);
    add("tensors", fmt::format("{} ({}); {} unused, {} missing", audit.tensors.size(), types(audit),
                               audit.unusedCount(), audit.zeros.size()));
    add("weights",
        fmt::format("{} parameters in {} bytes", audit.parameterCount, audit.tensorBytes));
    add("shape", fmt::format("{} layers, d_model {}, d_ff {}, up to {} tokens", config.layers,
                             config.dModel, config.dFf, config.maxLen));
    add("heads", headLayout(config));
    if (config.window)
        add("window", fmt::format("{} tokens", *config.window));
    add("output", !config.languageHead   ? "none: the model predicts no next token"
                  : config.tieEmbeddings ? "tied to the embeddings"
                                         : "a separate matrix");
    add("vocabulary", fmt::format("{} rows", config.vocabularySize));
    add("tokenizer", audit.tokenizer);
    if (audit.productsError)
        add("generation", "products of 8-bit integers: " + audit.productsError->text() +
                              "; generate --exact multiplies in floats");
    if (audit.precisionError)
        add("precision", fmt::format("float weights are rounded to {}: {}", nameOf(audit.precision),
                                     audit.precisionError->text()));
    return facts;
}

nlohmann::json toJson(const LoadAudit& audit, bool withTensors)
{
    const ModelConfig& config = audit.config;
    nlohmann::json json{{"path", audit.path},
                        {"format", audit.format},
                        {"family", audit.family},
                        {"tokenizer", audit.tokenizer},
                        {"parameters", audit.parameterCount},
                        {"tensor_bytes", audit.tensorBytes},
                        {"tensor_count", audit.tensors.size()},
                        {"unused_count", audit.unusedCount()},
                        {"missing", audit.zeros},
                        {"types", audit.countByType()},
                        {"heads", config.heads},
                        {"kv_heads", config.keyHeadCount()},
                        {"head_dim", config.headDim()},
                        {"tied", config.languageHead && config.tieEmbeddings},
                        {"language_head", config.languageHead},
                        {"config", headscope::toJson(config)}};
    nlohmann::json warnings = nlohmann::json::array();
    for (const LoadWarning& warning : audit.warnings)
        warnings.push_back({{"what", warning.what}, {"advice", warning.advice}});
    json["warnings"] = std::move(warnings);
    if (audit.productsError)
        json["integer_products"] = toJson(*audit.productsError);
    if (audit.precisionError) {
        json["precision"] = toJson(*audit.precisionError);
        json["precision"]["weights"] = nameOf(audit.precision);
    }
    if (!withTensors)
        return json;
    json["tensors"] = nlohmann::json::array();
    for (const AuditedTensor& tensor : audit.tensors)
        json["tensors"].push_back(toJson(tensor));
    return json;
}

} // namespace headscope
