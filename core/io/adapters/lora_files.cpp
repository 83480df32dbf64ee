#include "core/io/adapters/lora_files.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/io/adapters/gguf_adapter.h"
#include "core/io/adapters/peft_adapter.h"
#include "core/io/gguf/gguf_family.h"
#include "core/io/gguf/gguf_file.h"
#include "core/io/gguf/gguf_model.h"
#include "core/io/hugging_face/hugging_face_names.h"
#include "core/io/open_model.h"
#include "core/model/edits/adapter_edit.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace headscope {

namespace {

namespace fs = std::filesystem;

/// How the base model's file names its weights.
struct BaseFamily
{
    std::string modelType;    ///< Of Hugging Face.
    std::string architecture; ///< Of GGUF; empty for a Hugging Face folder.
};

BaseFamily familyOf(const LoadedModel& base)
{
    constexpr std::uint64_t kMostJsonBytes = std::uint64_t{1} << 24;
    const fs::path path = base.name;
    if (isHuggingFaceFolder(path)) {
        const fs::path config = path / "config.json";
        return {parseJson(readFile(config, kMostJsonBytes), config.string())
                    .at("model_type")
                    .get<std::string>(),
                {}};
    }
    if (!isGgufFile(path))
        throw FormatError("an adapter for a model that is neither a Hugging Face folder nor a GGUF "
                          "file",
                          base.name, std::nullopt, "Open the adapter's base model first");
    const std::string architecture = GgufFile::open(path).metadata().text("general.architecture");
    const GgufFamily* const family = findGgufFamily(architecture);
    if (family == nullptr)
        throw FormatError("no known names for " + inQuotes(architecture), base.name);
    return {std::string(family->modelType), architecture};
}

StoredAdapter readAdapter(const fs::path& path)
{
    if (isPeftFolder(path))
        return readPeftAdapter(path);
    if (isGgufFile(path))
        return readGgufAdapter(path);
    if (isPeftFolder(path.parent_path()))
        return readPeftAdapter(path.parent_path());
    std::error_code error;
    if (!fs::exists(path, error))
        throw FormatError("no such adapter", path.string(), std::nullopt,
                          "Give a folder with adapter_config.json, or a GGUF adapter");
    throw FormatError("no LoRA adapter", path.string(), std::nullopt,
                      "Give a folder with adapter_config.json, or a GGUF adapter");
}

/// Stored row of each row of the parameter.
std::vector<std::int64_t> rowOrder(const StoredWeight& weight, std::int64_t rows)
{
    if (!weight.order.empty())
        return weight.order;
    if (weight.parts > 1)
        return rowsOfPart(rows, weight.part, weight.parts, weight.groups);
    std::vector<std::int64_t> order(static_cast<std::size_t>(rows));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    return order;
}

std::int64_t storedRows(const StoredWeight& weight, std::int64_t rows)
{
    return weight.order.empty() ? rows * weight.parts : weight.storedRows;
}

Tensor gathered(const Tensor& matrix, const std::vector<std::int64_t>& rows)
{
    const std::int64_t columns = matrix.shape()[1];
    Tensor result(Shape{static_cast<std::int64_t>(rows.size()), columns});
    for (std::size_t row = 0; row < rows.size(); ++row)
        std::copy_n(matrix.data() + rows[row] * columns, columns,
                    result.data() + static_cast<std::int64_t>(row) * columns);
    return result;
}

/// Rows (head, half, i) in the order (head, i, half): how llama.cpp's converter stores queries and
/// keys that rotate neighbouring channels together.
std::vector<std::int64_t> interleaved(const std::vector<std::int64_t>& rows, std::int64_t heads)
{
    const std::int64_t width = std::ssize(rows) / heads;
    std::vector<std::int64_t> order(rows.size());
    for (std::int64_t row = 0; row < std::ssize(rows); ++row) {
        const std::int64_t channel = row % width;
        const std::int64_t from = row - channel + channel % 2 * (width / 2) + channel / 2;
        order[static_cast<std::size_t>(row)] = rows[static_cast<std::size_t>(from)];
    }
    return order;
}

/// Finds the parameters of a model for the modules of one adapter.
class AdapterFitter
{
public:
    AdapterFitter(const StoredAdapter& adapter, const LoadedModel& base)
        : m_adapter(adapter)
        , m_config(base.model->config())
        , m_specs(base.model->parameters().specs())
    {
        const BaseFamily family = familyOf(base);
        const bool isGguf = !adapter.architecture.empty();
        if (isGguf && adapter.architecture != family.architecture)
            throw FormatError(
                fmt::format("an adapter for {}, but the model is {}",
                            inQuotes(adapter.architecture),
                            family.architecture.empty() ? "a Hugging Face folder"
                                                        : inQuotes(family.architecture)),
                adapter.path, std::nullopt, "Open the GGUF file of the adapter's base model");
        m_weights = isGguf ? ggufWeights(family.architecture, m_config)
                           : storedWeights(family.modelType, m_config);
        m_prefix = isGguf ? std::string_view() : basePrefix(family.modelType);
        m_movesRows = !isGguf && !family.architecture.empty() &&
                      m_config.rope.layout == RopeSettings::Layout::Interleaved;
    }

    LoraAdapter fit() const
    {
        LoraAdapter fitted;
        for (const StoredLoraPair& pair : m_adapter.pairs)
            addUpdates(pair, fitted);
        return fitted;
    }

private:
    [[noreturn]] void refuse(const std::string& problem, const std::string& advice) const
    {
        throw FormatError(problem, m_adapter.path, std::nullopt, advice);
    }

    /// A module of a base model that was saved without its head lacks the prefix.
    std::string moduleOf(const StoredLoraPair& pair) const
    {
        const bool hasPrefix = !m_prefix.empty() && pair.module.starts_with(m_prefix);
        return hasPrefix ? pair.module.substr(m_prefix.size()) : pair.module;
    }

    void addUpdates(const StoredLoraPair& pair, LoraAdapter& fitted) const
    {
        const std::string tensor = moduleOf(pair) + ".weight";
        bool isFound = false;
        for (std::size_t i = 0; i < m_weights.size(); ++i) {
            const std::vector<std::string>& names = m_weights[i].names;
            if (std::ranges::find(names, tensor) == names.end())
                continue;
            isFound = true;
            fitted.updates.push_back(updateOf(pair, m_weights[i], m_specs[i]));
        }
        if (!isFound)
            refuse(fmt::format("the model has no weights of its own for {}", inQuotes(pair.module)),
                   "Use an adapter that was made for this model");
    }

    LoraUpdate updateOf(const StoredLoraPair& pair, const StoredWeight& weight,
                        const ParameterSpec& spec) const
    {
        if (weight.slices > 0 || spec.shape.rank() != 2)
            refuse(fmt::format("{} is no single matrix here", inQuotes(pair.module)),
                   "Merge the adapter into its model");
        const bool isLookup = spec.name.ends_with("tok_emb.weight");
        if (pair.isEmbedding != isLookup)
            refuse(isLookup ? fmt::format("{} is an embedding here", inQuotes(pair.module))
                            : fmt::format("{} is no embedding here", inQuotes(pair.module)),
                   "Use an adapter that was made for this model");
        if (isLookup)
            requireUntied(pair);
        const std::int64_t rows = isLookup ? spec.shape[0] : storedRows(weight, spec.shape[0]);
        requireSizes(pair, isLookup ? spec.shape[1] : rows, isLookup ? rows : spec.shape[1]);
        if (isLookup)
            return {spec.name, transposed(pair.a), transposed(pair.b), pair.scale};
        return {spec.name, gathered(pair.b, orderOf(weight, spec)), pair.a, pair.scale};
    }

    /// With tied embeddings the update would change the unembedding too, which the adapter does not.
    void requireUntied(const StoredLoraPair& pair) const
    {
        if (m_config.languageHead && m_config.tieEmbeddings)
            refuse(
                fmt::format("{} is the unembedding too (tied embeddings)", inQuotes(pair.module)),
                "Merge the adapter into its model");
    }

    void requireSizes(const StoredLoraPair& pair, std::int64_t outputs, std::int64_t inputs) const
    {
        if (pair.b.shape()[0] != outputs || pair.a.shape()[1] != inputs)
            refuse(fmt::format("{} has {} inputs and {} outputs, but here {} and {}",
                               inQuotes(pair.module), pair.a.shape()[1], pair.b.shape()[0], inputs,
                               outputs),
                   "Use an adapter that was made for this model");
    }

    std::vector<std::int64_t> orderOf(const StoredWeight& weight, const ParameterSpec& spec) const
    {
        std::vector<std::int64_t> order = rowOrder(weight, spec.shape[0]);
        if (m_movesRows && spec.name.ends_with("attn.q.weight"))
            return interleaved(order, m_config.heads);
        if (m_movesRows && spec.name.ends_with("attn.k.weight"))
            return interleaved(order, m_config.keyHeadCount());
        return order;
    }

    const StoredAdapter& m_adapter;
    const ModelConfig& m_config;
    const std::vector<ParameterSpec>& m_specs;
    std::vector<StoredWeight> m_weights;
    std::string_view m_prefix;
    bool m_movesRows = false;
};

} // namespace

LoraAdapter loadLoraAdapter(const fs::path& path, const LoadedModel& base)
{
    const StoredAdapter adapter = readAdapter(path);
    return AdapterFitter(adapter, base).fit();
}

std::shared_ptr<const Model> editedWithAdapters(const LoadedModel& base,
                                                const std::vector<WeightEdit>& edits,
                                                const OpenCheckpoint& open,
                                                const std::stop_token& stop)
{
    std::shared_ptr<const Model> model = base.model;
    for (std::size_t begin = 0; begin < edits.size();) {
        const auto from = edits.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto next = std::find_if(from, edits.end(), isAdapter);
        if (next != from) {
            model = editedModel(model, {from, next}, open, stop);
            begin = static_cast<std::size_t>(next - edits.begin());
            continue;
        }
        // the model reports all edits up to here
        model = adaptedModel(model, loadLoraAdapter(from->checkpoint, base),
                             {edits.begin(), from + 1}, stop);
        ++begin;
    }
    const bool isWhole = model == base.model || model->edits().size() == edits.size();
    return isWhole ? model : std::make_shared<const Model>(Model::replaced(model, {}, edits));
}

} // namespace headscope
