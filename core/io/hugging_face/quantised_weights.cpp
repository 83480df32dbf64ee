#include "core/io/hugging_face/quantised_weights.h"

#include "core/base/json_text.h"
#include "core/base/memory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace headscope {

namespace {

constexpr std::string_view kBlocks = "_blocks";
constexpr std::string_view kScales = "_scales";

/// Names of what only arithmetic in 8 bits uses.
constexpr std::array<std::string_view, 5> kUnused{".input_scale", ".activation_scale",
                                                  ".input_scale_ub", ".k_scale", ".v_scale"};

constexpr std::int64_t kPackedBytes = 16; ///< Bytes of codes in a block of MXFP4, two in each.
constexpr std::int64_t kMxfp4Values = layoutOf(BlockFormat::MXFP4).values;
constexpr std::int64_t kMxfp4Bytes = layoutOf(BlockFormat::MXFP4).bytes;

bool isFloat8(const ModelTensor& tensor)
{
    return tensor.convertible && (tensor.convertible->type == DataType::F8_E4M3 ||
                                  tensor.convertible->type == DataType::F8_E5M2);
}

bool isBytes(const ModelTensor& tensor)
{
    return tensor.convertible && tensor.convertible->type == DataType::U8;
}

std::int64_t partsOf(std::int64_t extent, std::int64_t size)
{
    return (extent + size - 1) / size;
}

/// Scales of a matrix, or of each of several: one for each block of rows and columns.
struct Scales
{
    std::vector<float> values;
    std::int64_t blockRows = 1;
    std::int64_t blockColumns = 1;
    std::int64_t perRow = 1; ///< Scales in a row of blocks.
    std::int64_t perMatrix = 1;
};

/// Replaces the quantised tensors of one model.
class Widener
{
public:
    Widener(StoredModel& model, ScaleBlock block) : m_model(model), m_block(block)
    {
        for (std::size_t i = 0; i < model.tensors.size(); ++i)
            m_byName.emplace(model.tensors[i].name, i);
    }

    QuantisationParts widen()
    {
        requireEnoughMemory();
        for (ModelTensor& tensor : m_model.tensors) {
            if (isFloat8(tensor))
                widenFloat8(tensor);
            else if (isBytes(tensor) && tensor.name.ends_with(kBlocks))
                joinBlocks(tensor);
            else if (std::ranges::any_of(
                         kUnused, [&](std::string_view end) { return tensor.name.ends_with(end); }))
                m_parts.emplace(tensor.name, std::string());
        }
        return std::move(m_parts);
    }

private:
    [[noreturn]] void refuse(const ModelTensor& tensor, const std::string& problem) const
    {
        throw FormatError(problem, tensor.file ? tensor.file->path().string() : m_model.path,
                          std::nullopt,
                          "Supported: scales of a tensor, of its rows, and of blocks of rows and "
                          "columns");
    }

    void requireEnoughMemory() const
    {
        std::uint64_t bytes = 0;
        for (const ModelTensor& tensor : m_model.tensors)
            if (isFloat8(tensor))
                bytes += tensor.bytes.size() * sizeof(float);
        if (bytes > 0)
            requireMemory(bytes, "weights of 8 bits, which are widened to 32,");
    }

    const ModelTensor* find(const std::string& name) const
    {
        const auto found = m_byName.find(name);
        return found == m_byName.end() ? nullptr : &m_model.tensors[found->second];
    }

    std::vector<float> floatsOf(const ModelTensor& tensor) const
    {
        if (tensor.convertible && !isFloat8(tensor))
            return tensor.convertible->toFloats();
        if (!tensor.format)
            refuse(tensor, fmt::format("the tensor {} is a scale in {}", inQuotes(tensor.name),
                                       tensor.type));
        std::vector<float> values(static_cast<std::size_t>(tensor.rows() * tensor.columns()));
        unpack(*tensor.format, tensor.bytes, values);
        return values;
    }

    /// Finds how the scale's shape divides the weight's.
    Scales scalesOf(const ModelTensor& weight, const ModelTensor& scale) const
    {
        const std::size_t rank = weight.shape.size();
        const std::int64_t rows = weight.shape[rank - 2];
        const std::int64_t columns = weight.shape[rank - 1];
        std::vector<std::int64_t> ofRows = weight.shape;
        ofRows.back() = 1;
        std::vector<std::int64_t> ofBlocks = weight.shape;
        ofBlocks[rank - 2] = partsOf(rows, m_block.rows);
        ofBlocks[rank - 1] = partsOf(columns, m_block.columns);
        Scales scales;
        scales.values = floatsOf(scale);
        const std::int64_t count = std::ssize(scales.values);
        if (scale.shape == ofRows || (rank == 2 && scale.shape.size() == 1 && count == rows)) {
            scales.blockColumns = columns;
            scales.perMatrix = rows;
        } else if (scale.shape == ofBlocks) {
            scales.blockRows = m_block.rows;
            scales.blockColumns = m_block.columns;
            scales.perRow = ofBlocks[rank - 1];
            scales.perMatrix = ofBlocks[rank - 2] * scales.perRow;
        } else if (count == 1 && rank == 2) {
            scales.blockRows = rows;
            scales.blockColumns = columns;
        } else {
            refuse(scale, fmt::format("the scale {} has the shape [{}] and {} has [{}]",
                                      inQuotes(scale.name), fmt::join(scale.shape, ", "),
                                      inQuotes(weight.name), fmt::join(weight.shape, ", ")));
        }
        return scales;
    }

    void multiply(const ModelTensor& weight, const Scales& scales, std::vector<float>& values) const
    {
        const std::int64_t columns = weight.columns();
        const std::int64_t rows = weight.shape[weight.shape.size() - 2];
        for (std::int64_t row = 0; row < weight.rows(); ++row) {
            const float* const first = scales.values.data() + row / rows * scales.perMatrix +
                                       row % rows / scales.blockRows * scales.perRow;
            float* const out = values.data() + row * columns;
            for (std::int64_t column = 0; column < columns; ++column)
                out[column] *= first[column / scales.blockColumns];
        }
    }

    void widenFloat8(ModelTensor& tensor)
    {
        const ModelTensor* scale = find(tensor.name + "_scale_inv");
        if (scale == nullptr)
            scale = find(tensor.name + "_scale");
        std::vector<float> values = tensor.convertible->toFloats();
        if (scale != nullptr) {
            if (tensor.shape.size() < 2 || tensor.shape.size() > 3)
                refuse(tensor, fmt::format("the tensor {} has {} axes and a scale",
                                           inQuotes(tensor.name), tensor.shape.size()));
            multiply(tensor, scalesOf(tensor, *scale), values);
            m_parts.emplace(scale->name, tensor.name);
        }
        const auto owned = std::make_shared<const std::vector<float>>(std::move(values));
        own(tensor, BlockFormat::F32, owned, std::as_bytes(std::span(*owned)));
    }

    /// Blocks [..., rows, blocks, 16], where byte i has the codes of values 2 i and 2 i + 1, and
    /// scales [..., rows, blocks] become rows of blocks whose byte i has those of i and i + 16.
    void joinBlocks(ModelTensor& tensor)
    {
        const std::string name = tensor.name.substr(0, tensor.name.size() - kBlocks.size());
        const ModelTensor* const scales = find(name + std::string(kScales));
        std::vector<std::int64_t> blocks = tensor.shape;
        if (blocks.size() < 3 || blocks.back() != kPackedBytes)
            refuse(tensor,
                   fmt::format(
                       "the tensor {} has the shape [{}], but blocks of {} bytes were expected",
                       inQuotes(tensor.name), fmt::join(blocks, ", "), kPackedBytes));
        blocks.pop_back();
        if (scales == nullptr || !isBytes(*scales) || scales->shape != blocks)
            refuse(tensor, fmt::format("the tensor {} has no scales {} of the shape [{}]",
                                       inQuotes(tensor.name), inQuotes(name + std::string(kScales)),
                                       fmt::join(blocks, ", ")));
        requireMemory(tensor.bytes.size() + scales->bytes.size(), "the blocks of " + name);
        const std::size_t count = scales->bytes.size();
        const auto owned =
            std::make_shared<std::vector<std::byte>>(count * static_cast<std::size_t>(kMxfp4Bytes));
        for (std::size_t i = 0; i < count; ++i)
            packBlock(tensor.bytes.data() + i * static_cast<std::size_t>(kPackedBytes),
                      scales->bytes[i], owned->data() + i * static_cast<std::size_t>(kMxfp4Bytes));
        m_parts.emplace(scales->name, name);
        blocks.back() *= kMxfp4Values;
        tensor.name = name;
        tensor.type = layoutOf(BlockFormat::MXFP4).name;
        tensor.shape = std::move(blocks);
        own(tensor, BlockFormat::MXFP4, owned, *owned);
    }

    static void packBlock(const std::byte* codes, std::byte scale, std::byte* block)
    {
        const auto code = [codes](std::int64_t value) {
            return codes[value / 2] >> (value % 2 * 4) & std::byte{15};
        };
        block[0] = scale;
        for (std::int64_t i = 0; i < kPackedBytes; ++i)
            block[1 + i] = code(i) | code(i + kPackedBytes) << 4;
    }

    static void own(ModelTensor& tensor, BlockFormat format, std::shared_ptr<const void> owner,
                    std::span<const std::byte> bytes)
    {
        tensor.format = format;
        tensor.convertible.reset();
        tensor.bytes = bytes;
        tensor.owner = std::move(owner);
    }

    StoredModel& m_model;
    ScaleBlock m_block;
    std::map<std::string, std::size_t> m_byName;
    QuantisationParts m_parts;
};

} // namespace

ScaleBlock readQuantisation(const ConfigReader& json)
{
    ScaleBlock block;
    if (!json.has("quantization_config"))
        return block;
    const ConfigReader config = json.object("quantization_config");
    const std::string method = config.text("quant_method", "");
    const bool isCompressed = method == "compressed-tensors";
    if (method != "fp8" && method != "fbgemm_fp8" && method != "mxfp4" && !isCompressed)
        json.refuse("quantization_config",
                    "Supported: \"fp8\", \"fbgemm_fp8\", \"compressed-tensors\" in 8-bit floats, "
                    "\"mxfp4\"; otherwise use weights that are not quantised");
    if (isCompressed && config.text("format", "") != "float-quantized")
        config.refuse("format", "Only \"float-quantized\" is supported");
    if (config.has("weight_block_size")) {
        const std::vector<std::int64_t> size = config.integers("weight_block_size");
        if (size.size() != 2 || size[0] < 1 || size[1] < 1)
            config.refuse("weight_block_size", "Use two positive numbers");
        block = {size[0], size[1]};
    }
    return block;
}

QuantisationParts widenQuantised(StoredModel& model, ScaleBlock block)
{
    return Widener(model, block).widen();
}

} // namespace headscope
