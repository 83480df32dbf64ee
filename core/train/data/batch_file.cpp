#include "core/train/data/batch_file.h"

#include "core/base/error.h"
#include "core/io/safetensors/stored_tensor.h"

#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace headscope {

namespace {

std::int64_t integerAt(std::span<const std::byte> bytes, std::size_t index)
{
    std::int64_t value = 0; // the file does not guarantee alignment
    std::memcpy(&value, bytes.data() + index * sizeof(value), sizeof(value));
    return value;
}

} // namespace

BatchFile::BatchFile(const std::filesystem::path& path, std::int64_t vocabularySize)
    : m_file(SafetensorsFile::open(path))
{
    const auto& shape = m_file.tensor("inputs").shape;
    if (shape.size() != 3 || shape[0] < 1 || shape[1] < 1 || shape[2] < 1)
        throw FormatError(fmt::format("\"inputs\" is [{}]", fmt::join(shape, ", ")), m_file.path(),
                          std::nullopt, "Store [steps, rows, length]");
    m_steps = shape[0];
    m_rows = shape[1];
    m_length = shape[2];
    check("inputs", false, vocabularySize);
    check("targets", true, vocabularySize);
    m_file.requireUnchanged();
}

void BatchFile::check(const char* name, bool mayIgnore, std::int64_t vocabularySize) const
{
    const StoredTensor& tensor = m_file.tensor(name);
    if (tensor.type != DataType::I64)
        throw FormatError(fmt::format("\"{}\" is {}", name, toString(tensor.type)), m_file.path(),
                          std::nullopt, "Store it as int64");
    if (tensor.shape != m_file.tensor("inputs").shape)
        throw FormatError(
            fmt::format("\"{}\" is [{}], unlike \"inputs\"", name, fmt::join(tensor.shape, ", ")),
            m_file.path());
    const std::size_t count = tensor.elementCount();
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t id = integerAt(tensor.bytes, i);
        if ((id < 0 || id >= vocabularySize) && !(mayIgnore && id == kIgnoredTarget))
            throw FormatError(fmt::format("\"{}\" contains {} at index {}", name, id, i),
                              m_file.path(), std::nullopt,
                              fmt::format("The vocabulary has {} tokens", vocabularySize));
    }
}

std::vector<TokenId> BatchFile::slice(const char* name, std::int64_t step) const
{
    const std::size_t size = m_rows * m_length;
    const auto begin = static_cast<std::size_t>(step) * size;
    const StoredTensor& tensor = m_file.tensor(name);
    std::vector<TokenId> ids(size);
    for (std::size_t i = 0; i < size; ++i)
        ids[i] = static_cast<TokenId>(integerAt(tensor.bytes, begin + i));
    return ids;
}

Batch BatchFile::trainingBatch(std::uint64_t, std::int64_t step) const
{
    if (step < 0 || step >= m_steps)
        throw Error(fmt::format("the file has {} batches, not {}", m_steps, step + 1),
                    m_file.path(), "Train for fewer steps");
    Batch batch{m_rows, m_length, slice("inputs", step), slice("targets", step)};
    try {
        m_file.requireUnchanged();
    } catch (const FormatError& error) {
        throw FormatError(error.problem(), m_file.path(), std::nullopt,
                          "Restore the file, then resume the training run");
    }
    return batch;
}

Batch BatchFile::validationBatch(std::int64_t index) const
{
    throw Error(fmt::format("there is no validation batch {}", index), m_file.path());
}

} // namespace headscope
