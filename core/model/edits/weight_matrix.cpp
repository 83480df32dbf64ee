#include "core/model/edits/weight_matrix.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/model/model.h"
#include "core/model/weights/lazy_parameters.h"

#include <algorithm>
#include <string_view>

namespace headscope {

namespace {

using Axis = WeightMatrix::Axis;

/// A parameter's stem and its shown name, in which * is W for a weight and b for a bias.
constexpr std::pair<std::string_view, std::string_view> kNames[] = {
    {"attn.q", "attn.*_Q"},
    {"attn.k", "attn.*_K"},
    {"attn.v", "attn.*_V"},
    {"attn.o", "attn.*_O"},
    {"attn.q_down", "attn.*_Q_down"},
    {"attn.q_up", "attn.*_Q_up"},
    {"attn.kv_down", "attn.*_KV_down"},
    {"attn.kv_up", "attn.*_KV_up"},
    {"cross.q", "cross_attn.*_Q"},
    {"cross.k", "cross_attn.*_K"},
    {"cross.v", "cross_attn.*_V"},
    {"cross.o", "cross_attn.*_O"},
    {"fc1", "mlp.*_in"},
    {"fc2", "mlp.*_out"},
    {"gate", "mlp.*_gate"},
    {"up", "mlp.*_in"},
    {"down", "mlp.*_out"},
    {"router", "mlp.*_router"},
    {"shared.gate", "mlp.shared.*_gate"},
    {"shared.up", "mlp.shared.*_in"},
    {"shared.down", "mlp.shared.*_out"},
    {"shared.fc1", "mlp.shared.*_in"},
    {"shared.fc2", "mlp.shared.*_out"},
    {"shared.scale", "mlp.shared.*_scale"},
    {"head.dense", "head.*_dense"},
    {"head", "*_U"},
    {"pooler", "*_pool"},
    {"next_sentence", "*_next"},
    {"tok_emb", "*_E"},
    {"emb_proj", "*_E_proj"},
    {"type_emb", "*_type"},
    {"pos_emb", "*_pos"},
    {"rel_bias", "*_rel"},
};

constexpr std::pair<std::string_view, std::string_view> kStacks[] = {
    {"h.", "blocks."}, {"enc.", "encoder."}, {"dec.", "decoder."}};

bool takePrefix(std::string_view& text, std::string_view prefix)
{
    if (!text.starts_with(prefix))
        return false;
    text.remove_prefix(prefix.size());
    return true;
}

/// Moves "N." from the front of `text` to the end of `shown`.
void moveIndex(std::string_view& text, std::string& shown)
{
    const std::size_t end = text.find_first_not_of("0123456789");
    if (end == 0 || end == std::string_view::npos || text[end] != '.')
        return;
    shown += text.substr(0, end + 1);
    text.remove_prefix(end + 1);
}

/// Field name of a norm's part: its weight, bias, or a running statistic of BatchNorm.
std::string normPart(std::string_view part)
{
    if (part == ".bias")
        return ".b";
    return part == ".weight" ? ".w" : std::string(part);
}

std::string shownName(std::string_view name)
{
    std::string shown;
    for (const auto& [stack, replacement] : kStacks) {
        if (!takePrefix(name, stack))
            continue;
        shown = replacement;
        moveIndex(name, shown);
        break;
    }
    std::string expert;
    if (takePrefix(name, "expert.")) {
        expert = "experts.";
        moveIndex(name, expert);
    }
    const bool isBias = name.ends_with(".bias");
    const std::string_view stem = name.substr(0, name.rfind('.'));
    for (const auto& [known, replacement] : kNames) {
        const std::size_t star = replacement.find('*');
        if (known != stem)
            continue;
        std::string text(replacement);
        text[star] = isBias ? 'b' : 'W';
        return shown + text.insert(star, expert);
    }
    const std::string_view norm = stem == "ln_f" ? "ln_final" : stem;
    return shown + std::string(norm) + normPart(name.substr(stem.size()));
}

/// True for matrices that are indexed by a row instead of multiplied.
bool isLookup(std::string_view name)
{
    return name.ends_with("tok_emb.weight") || name.ends_with("type_emb.weight") ||
           name.ends_with("pos_emb.weight") || name.ends_with("rel_bias.weight");
}

void setHeads(WeightMatrix& matrix, std::string_view name, const ModelConfig& config)
{
    const auto is = [&name](std::string_view stem) {
        return name.ends_with(std::string(stem) + ".weight") ||
               name.ends_with(std::string(stem) + ".bias");
    };
    if (is("attn.q") || is("cross.q") || is("attn.q_up") || is("attn.kv_up"))
        matrix.headAxis = Axis::Columns, matrix.heads = config.heads;
    else if (is("attn.k") || is("attn.v") || is("cross.k") || is("cross.v"))
        matrix.headAxis = Axis::Columns, matrix.heads = config.keyHeadCount();
    else if (name.ends_with("attn.o.weight") || name.ends_with("cross.o.weight"))
        matrix.headAxis = Axis::Rows, matrix.heads = config.heads;
    else if (is("rel_bias"))
        matrix.headAxis = Axis::Columns, matrix.heads = config.heads;
}

Axis tokenAxisOf(std::string_view name)
{
    if (name.ends_with("tok_emb.weight"))
        return Axis::Rows;
    return name == "head.weight" || name == "head.bias" ? Axis::Columns : Axis::None;
}

std::string whyMissing(const std::string& name, const std::vector<std::string>& known)
{
    const bool hasEmbedding = std::ranges::find(known, "W_E") != known.end();
    if (name == "W_U" && hasEmbedding)
        return "The unembedding is the transposed W_E here (tied embeddings): edit W_E";
    return nearestNameAdvice(name, known);
}

} // namespace

std::int64_t WeightMatrix::headSize() const
{
    if (headAxis == Axis::None || heads == 0)
        return 0;
    return (headAxis == Axis::Rows ? rows : columns) / heads;
}

std::vector<WeightMatrix> weightMatrices(const ModelConfig& config)
{
    std::vector<WeightMatrix> matrices;
    for (const ParameterSpec& spec : parameterLayout(config)) {
        WeightMatrix matrix;
        matrix.name = shownName(spec.name);
        matrix.parameter = matrices.size();
        const bool isMatrix = spec.shape.rank() == 2;
        matrix.isTransposed = isMatrix && !isLookup(spec.name);
        matrix.rows = isMatrix ? spec.shape[matrix.isTransposed ? 1 : 0] : 1;
        matrix.columns = spec.shape[isMatrix && !matrix.isTransposed ? 1 : 0];
        setHeads(matrix, spec.name, config);
        matrix.tokenAxis = tokenAxisOf(spec.name);
        matrices.push_back(std::move(matrix));
    }
    return matrices;
}

const WeightMatrix& findMatrix(const std::vector<WeightMatrix>& matrices, const std::string& name)
{
    const auto found = std::ranges::find(matrices, name, &WeightMatrix::name);
    if (found != matrices.end())
        return *found;
    std::vector<std::string> known;
    for (const WeightMatrix& matrix : matrices)
        known.push_back(matrix.name);
    throw ShapeError("no such weight matrix: " + inQuotes(name), "edit", whyMissing(name, known));
}

std::vector<std::string> attentionNames(const std::vector<WeightMatrix>& matrices)
{
    std::vector<std::string> names;
    for (const WeightMatrix& matrix : matrices)
        if (matrix.name.ends_with("attn.W_O"))
            names.push_back(matrix.name.substr(0, matrix.name.size() - 4));
    return names;
}

std::string storageFormat(const Model& model, const WeightMatrix& matrix)
{
    const LazyParameters* const stored = model.parameters().stored();
    if (stored == nullptr || stored->parameter(matrix.parameter).isAbsent())
        return {};
    const BlockFormat format = stored->parameter(matrix.parameter).format;
    return format == BlockFormat::F32 ? std::string() : std::string(layoutOf(format).name);
}

} // namespace headscope
