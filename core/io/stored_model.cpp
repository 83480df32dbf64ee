#include "core/io/stored_model.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/memory.h"
#include "core/base/parallel.h"
#include "core/ops/matmul.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace headscope {

namespace {

/// Numbers between two checks of `stop`.
constexpr std::int64_t kNumbersAtOnce = std::int64_t{1} << 22;

std::vector<std::int64_t> storedShape(const StoredWeight& weight, const Shape& shape)
{
    std::vector<std::int64_t> expected(shape.begin(), shape.end());
    if (weight.order.empty())
        expected.front() *= weight.parts;
    else
        expected.front() = weight.storedRows;
    if (weight.transposed)
        std::reverse(expected.begin(), expected.end());
    if (weight.isVector)
        expected.erase(expected.begin());
    if (weight.slices > 0)
        expected.insert(expected.begin(), weight.slices);
    return expected;
}

/// Narrows a stored tensor to one of the matrices that are stacked in it.
void takeSlice(const StoredWeight& weight, const Shape& shape, StoredParameter& stored)
{
    const std::size_t bytes = stored.bytes.size() / static_cast<std::size_t>(weight.slices);
    stored.bytes = stored.bytes.subspan(static_cast<std::size_t>(weight.slice) * bytes, bytes);
    if (shape.rank() > 1)
        stored.rows /= weight.slices;
    else
        stored.rows = 1;
}

std::string knownFormats()
{
    std::vector<std::string_view> names;
    for (const BlockLayout& layout : kBlockLayouts)
        names.push_back(layout.name);
    return fmt::format("{}", fmt::join(names, ", "));
}

/// Path of a tensor's file, where there are several.
std::string pathOf(const StoredModel& model, const ModelTensor& tensor)
{
    return tensor.file ? tensor.file->path().string() : model.path;
}

/// Names one missing tensor and counts the others.
[[noreturn]] void refuseMissing(const std::string& path, const std::vector<std::string>& names)
{
    std::string problem = "the tensor " + inQuotes(names.front()) + " is missing";
    if (names.size() > 1)
        problem += fmt::format(", and {} more", names.size() - 1);
    throw FormatError(problem, path, std::nullopt, "The weights are incomplete");
}

class Finder
{
public:
    explicit Finder(StoredModel& model) : m_model(model)
    {
        for (std::size_t i = 0; i < model.tensors.size(); ++i)
            m_byName.emplace(model.tensors[i].name, i);
    }

    void find(const StoredWeight& weight, const ParameterSpec& spec)
    {
        const auto found =
            std::find_if(weight.names.begin(), weight.names.end(),
                         [&](const std::string& name) { return m_byName.count(name) != 0; });
        if (found == weight.names.end()) {
            if (!weight.joined.empty())
                return join(weight, spec);
            if (weight.constant)
                return fill(*weight.constant, spec);
            if (!weight.names.empty() && !weight.optional)
                m_missing.push_back(weight.names.front());
            m_model.zeros.push_back(spec.name);
            m_model.parameters.emplace_back();
            return;
        }
        ModelTensor& tensor = m_model.tensors[m_byName.at(*found)];
        if (!weight.factor.name.empty())
            return multiply(tensor, weight.factor, spec);
        checkShape(tensor, storedShape(weight, spec.shape));
        tensor.parameters.push_back(spec.name);
        m_model.parameters.push_back(describe(tensor, weight, spec));
    }

    void requireAll() const
    {
        if (!m_missing.empty())
            refuseMissing(m_model.path, m_missing);
    }

private:
    void fill(float number, const ParameterSpec& spec)
    {
        Tensor whole(spec.shape);
        std::ranges::fill(whole.values(), number);
        m_model.parameters.push_back(storedFloats(std::move(whole)));
    }

    /// Reads small tensors that are stored one by one, each an equal part of the parameter.
    void join(const StoredWeight& weight, const ParameterSpec& spec)
    {
        Tensor whole(spec.shape);
        const std::int64_t count = std::ssize(weight.joined);
        const std::int64_t size = spec.shape.elementCount() / count;
        for (std::int64_t i = 0; i < count; ++i) {
            const auto found = m_byName.find(weight.joined[static_cast<std::size_t>(i)]);
            if (found == m_byName.end()) {
                m_missing.push_back(weight.joined[static_cast<std::size_t>(i)]);
                continue;
            }
            ModelTensor& tensor = m_model.tensors[found->second];
            checkShape(tensor, {size});
            tensor.parameters.push_back(spec.name);
            unpackParameter(this->whole(tensor), {whole.data() + i * size, Shape{size}});
        }
        m_model.parameters.push_back(storedFloats(std::move(whole)));
    }

    /// Reads a matrix that is stored as the product of two.
    void multiply(ModelTensor& tensor, const StoredFactor& factor, const ParameterSpec& spec)
    {
        const auto found = m_byName.find(factor.name);
        if (found == m_byName.end()) {
            m_missing.push_back(factor.name);
            m_model.parameters.emplace_back();
            return;
        }
        ModelTensor& other = m_model.tensors[found->second];
        const std::int64_t rows = spec.shape[0];
        const std::int64_t columns = spec.shape[1];
        const std::int64_t inner = tensor.columns();
        checkShape(tensor, {rows, inner});
        checkShape(other,
                   factor.transposed ? std::vector{columns, inner} : std::vector{inner, columns});
        requireMemory(static_cast<std::uint64_t>(rows * (columns + inner)) * sizeof(float),
                      "the product " + inQuotes(tensor.name) + " times " + inQuotes(other.name));
        Tensor product(spec.shape);
        const Tensor left = floatsOf(tensor);
        const Tensor right = floatsOf(other);
        matmul(Transpose::No, factor.transposed ? Transpose::Yes : Transpose::No, rows, columns,
               inner, 1.0F, left.data(), inner, right.data(), right.shape()[1], 0.0F,
               product.data(), columns);
        for (ModelTensor* used : {&tensor, &other})
            used->parameters.push_back(spec.name);
        m_model.parameters.push_back(storedFloats(std::move(product)));
    }

    Tensor floatsOf(const ModelTensor& tensor)
    {
        Tensor values({tensor.rows(), tensor.columns()});
        unpackParameter(whole(tensor), values.view());
        return values;
    }

    void checkShape(const ModelTensor& tensor, const std::vector<std::int64_t>& expected) const
    {
        if (tensor.shape != expected)
            throw FormatError(fmt::format("the tensor {} has the shape [{}], but [{}] was expected",
                                          inQuotes(tensor.name), fmt::join(tensor.shape, ", "),
                                          fmt::join(expected, ", ")),
                              pathOf(m_model, tensor), std::nullopt,
                              "The weights do not belong to this configuration");
    }

    /// Converts a matrix that several parts are taken from once.
    const StoredParameter& whole(const ModelTensor& tensor)
    {
        const auto found = m_wholes.find(tensor.name);
        if (found != m_wholes.end())
            return found->second;
        StoredParameter stored;
        if (tensor.format) {
            stored.owner = tensor.owner ? tensor.owner : tensor.file;
            stored.file = tensor.owner ? nullptr : tensor.file.get();
            stored.bytes = tensor.bytes;
            stored.format = *tensor.format;
            stored.rows = tensor.rows();
            stored.columns = tensor.columns();
        } else if (tensor.convertible) {
            stored = storedFloats(tensor.convertible->toTensor());
        } else {
            throw FormatError(fmt::format("the tensor {} is stored as {}, which is not supported",
                                          inQuotes(tensor.name), tensor.type),
                              pathOf(m_model, tensor), std::nullopt,
                              "Supported: " + knownFormats());
        }
        return m_wholes.emplace(tensor.name, std::move(stored)).first->second;
    }

    StoredParameter describe(const ModelTensor& tensor, const StoredWeight& weight,
                             const ParameterSpec& spec)
    {
        StoredParameter stored = whole(tensor);
        stored.transposed = weight.transposed;
        if (weight.slices > 0)
            takeSlice(weight, spec.shape, stored);
        if (weight.parts == 1 && weight.order.empty())
            return stored;
        if (spec.shape.rank() == 1 && layoutOf(stored.format).values > 1)
            throw FormatError(fmt::format("the tensor {} is stored as {}, in blocks of {}",
                                          inQuotes(tensor.name), tensor.type,
                                          layoutOf(stored.format).values),
                              pathOf(m_model, tensor), std::nullopt,
                              "A vector of several parts must be stored number by number");
        stored.order = weight.order.empty()
                           ? rowsOfPart(spec.shape[0], weight.part, weight.parts, weight.groups)
                           : weight.order;
        if (spec.shape.rank() == 1) { // rows of one number each
            stored.rows *= stored.columns;
            stored.columns = 1;
        }
        return stored;
    }

    StoredModel& m_model;
    std::map<std::string, std::size_t> m_byName;
    std::map<std::string, StoredParameter> m_wholes;
    std::vector<std::string> m_missing;
};

struct Numbers
{
    float smallest = std::numeric_limits<float>::infinity();
    float largest = -std::numeric_limits<float>::infinity();
    std::int64_t firstNonFinite = std::numeric_limits<std::int64_t>::max();
};

Numbers numbersOf(std::span<const float> values, std::int64_t firstIndex)
{
    Numbers numbers;
    float sum = 0.0F; // sum of 0 x: NaN as soon as one of them is NaN or infinite
    for (const float value : values) {
        numbers.smallest = std::min(numbers.smallest, value);
        numbers.largest = std::max(numbers.largest, value);
        sum += value * 0.0F;
    }
    if (sum == 0.0F)
        return numbers;
    const auto unusable =
        std::find_if_not(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
    numbers.firstNonFinite = firstIndex + (unusable - values.begin());
    return numbers;
}

/// Reads rows [begin, end), row by row.
Numbers numbersOfRows(const ModelTensor& tensor, std::int64_t begin, std::int64_t end)
{
    Numbers all;
    const std::int64_t columns = tensor.columns();
    const std::size_t rowBytes = tensor.bytes.size() / static_cast<std::size_t>(tensor.rows());
    std::vector<float> values(static_cast<std::size_t>(columns));
    for (std::int64_t row = begin; row < end; ++row) {
        unpack(*tensor.format,
               tensor.bytes.subspan(static_cast<std::size_t>(row) * rowBytes, rowBytes), values);
        const Numbers numbers = numbersOf(values, row * columns);
        all.smallest = std::min(all.smallest, numbers.smallest);
        all.largest = std::max(all.largest, numbers.largest);
        all.firstNonFinite = std::min(all.firstNonFinite, numbers.firstNonFinite);
    }
    return all;
}

void add(TensorNumbers& to, const Numbers& numbers)
{
    to.smallest = std::min(to.smallest, numbers.smallest);
    to.largest = std::max(to.largest, numbers.largest);
    if (numbers.firstNonFinite != std::numeric_limits<std::int64_t>::max())
        to.firstNonFinite =
            std::min(to.firstNonFinite.value_or(numbers.firstNonFinite), numbers.firstNonFinite);
}

TensorNumbers readTensor(const ModelTensor& tensor, Progress& progress)
{
    TensorNumbers result;
    result.count = tensor.rows() * tensor.columns();
    const std::int64_t step = std::max<std::int64_t>(1, kNumbersAtOnce / tensor.columns());
    const std::size_t rowBytes = tensor.bytes.size() / static_cast<std::size_t>(tensor.rows());
    for (std::int64_t first = 0; first < tensor.rows(); first += step) {
        const std::int64_t count = std::min(step, tensor.rows() - first);
        std::vector<Numbers> parts(
            std::min<std::size_t>(workerCount(), static_cast<std::size_t>(count)));
        parallelFor(static_cast<std::size_t>(count), parts.size(),
                    [&](std::size_t begin, std::size_t end, std::size_t part) {
                        parts[part] =
                            numbersOfRows(tensor, first + static_cast<std::int64_t>(begin),
                                          first + static_cast<std::int64_t>(end));
                    });
        for (const Numbers& part : parts)
            add(result, part);
        progress.add(static_cast<std::uint64_t>(count) * rowBytes);
    }
    return result;
}

} // namespace

std::int64_t ModelTensor::rows() const
{
    std::int64_t count = 1;
    for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis)
        count *= shape[axis];
    return count;
}

void findParameters(StoredModel& model, const std::vector<StoredWeight>& weights,
                    const std::function<bool(std::string_view name)>& isRedundant)
{
    const std::vector<ParameterSpec> layout = parameterLayout(model.config);
    Finder finder(model);
    for (std::size_t i = 0; i < layout.size(); ++i)
        finder.find(weights[i], layout[i]);
    finder.requireAll();
    for (const ModelTensor& tensor : model.tensors)
        if (tensor.parameters.empty() && !isRedundant(tensor.name))
            throw FormatError(fmt::format("the tensor {} is not part of any known {}",
                                          inQuotes(tensor.name), model.family),
                              pathOf(model, tensor), std::nullopt, "It would be ignored");
}

TensorNumbers numbersOf(std::span<const float> values)
{
    TensorNumbers result;
    result.count = static_cast<std::int64_t>(values.size());
    add(result, numbersOf(values, 0));
    return result;
}

std::vector<TensorNumbers> readNumbers(const StoredModel& model, Progress& progress)
{
    std::uint64_t bytes = 0;
    for (const ModelTensor& tensor : model.tensors)
        bytes += tensor.parameters.empty() ? 0 : tensor.bytes.size();
    progress.expect(bytes);
    std::vector<TensorNumbers> result;
    std::set<const MappedFile*> files;
    for (const ModelTensor& tensor : model.tensors) {
        result.emplace_back();
        if (tensor.parameters.empty())
            continue;
        files.insert(tensor.file.get());
        if (tensor.format && !tensor.bytes.empty())
            result.back() = readTensor(tensor, progress);
        else if (tensor.convertible)
            result.back() = numbersOf(tensor.convertible->toFloats());
    }
    for (const MappedFile* file : files)
        if (file != nullptr)
            file->requireUnchanged();
    return result;
}

void requireFinite(const StoredModel& model, const std::vector<TensorNumbers>& numbers)
{
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (numbers[i].firstNonFinite)
            throw FormatError(fmt::format("the tensor {} contains a non-finite number at index {}",
                                          inQuotes(model.tensors[i].name),
                                          *numbers[i].firstNonFinite),
                              pathOf(model, model.tensors[i]), std::nullopt,
                              "The weights are damaged: download the file again");
}

Model makeModel(const StoredModel& model)
{
    return {model.config, ParameterSet(model.config, model.parameters)};
}

} // namespace headscope
