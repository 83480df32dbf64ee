#include "tests/support/gguf_builder.h"

namespace headscope::test {

namespace {

void align(std::string& bytes, std::uint64_t alignment)
{
    if (alignment > 0)
        bytes.resize((bytes.size() + alignment - 1) / alignment * alignment);
}

} // namespace

std::string ggufText(std::string_view text)
{
    return bytesOf<std::uint64_t>(text.size()) + std::string(text);
}

GgufBuilder& GgufBuilder::number(const std::string& key, std::uint32_t value)
{
    return entry(key, 4, bytesOf(value));
}

GgufBuilder& GgufBuilder::number(const std::string& key, float value)
{
    return entry(key, 6, bytesOf(value));
}

GgufBuilder& GgufBuilder::flag(const std::string& key, bool value)
{
    return entry(key, 7, bytesOf(value));
}

GgufBuilder& GgufBuilder::text(const std::string& key, std::string_view value)
{
    return entry(key, 8, ggufText(value));
}

GgufBuilder& GgufBuilder::texts(const std::string& key, const std::vector<std::string>& values)
{
    std::string raw;
    for (const std::string& value : values)
        raw += ggufText(value);
    return entry(key, 9, bytesOf(std::uint32_t{8}) + bytesOf<std::uint64_t>(values.size()) + raw);
}

GgufBuilder& GgufBuilder::entry(const std::string& key, std::uint32_t type, const std::string& raw)
{
    ++m_entries;
    m_metadata += ggufText(key) + bytesOf(type) + raw;
    return *this;
}

GgufBuilder& GgufBuilder::tensor(const std::string& name, const std::vector<std::int64_t>& shape,
                                 std::uint32_t type, const std::string& data)
{
    align(m_data, alignment);
    info(name, {shape.rbegin(), shape.rend()}, type, m_data.size());
    m_data += data;
    return *this;
}

GgufBuilder& GgufBuilder::info(const std::string& name,
                               const std::vector<std::uint64_t>& dimensions, std::uint32_t type,
                               std::uint64_t offset)
{
    ++m_tensors;
    m_infos += ggufText(name) + bytesOf(static_cast<std::uint32_t>(dimensions.size()));
    for (const std::uint64_t dimension : dimensions)
        m_infos += bytesOf(dimension);
    m_infos += bytesOf(type) + bytesOf(offset);
    return *this;
}

GgufBuilder& GgufBuilder::data(const std::string& bytes)
{
    m_data += bytes;
    return *this;
}

std::string GgufBuilder::bytes() const
{
    std::string file = magic + bytesOf(version) + bytesOf(claimedTensors.value_or(m_tensors)) +
                       bytesOf(claimedEntries.value_or(m_entries)) + m_metadata + m_infos;
    if (m_tensors > 0)
        align(file, alignment);
    return file + m_data;
}

} // namespace headscope::test
