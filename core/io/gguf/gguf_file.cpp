#include "core/io/gguf/gguf_file.h"

#include "core/base/json_text.h"
#include "core/io/gguf/gguf_cursor.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <set>

namespace headscope {

static_assert(std::endian::native == std::endian::little, "GGUF files are little-endian");

namespace {

constexpr std::uint64_t kMaxKeyBytes = 65535;
constexpr std::uint64_t kMaxNameBytes = 64;
constexpr std::uint32_t kMaxDimensions = 4;
constexpr std::uint64_t kDefaultAlignment = 32;
constexpr std::uint64_t kMaxAlignment = std::uint64_t{1} << 20;
constexpr std::uint64_t kSmallestEntry = 8 + 1 + 4 + 1;              ///< Key, type, value.
constexpr std::uint64_t kSmallestTensorInfo = 8 + 1 + 4 + 8 + 4 + 8; ///< Size with one dimension.
constexpr const char* kAlignmentKey = "general.alignment";

} // namespace

/// Checks a whole file; every fault is a FormatError with the byte offset at which it was found.
class GgufReader
{
public:
    GgufReader(GgufFile& file, std::span<const std::byte> bytes)
        : m_file(file)
        , m_bytes(bytes)
        , m_cursor(bytes, file.m_path)
    {
    }

    void read()
    {
        readHead();
        for (std::uint64_t i = 0; i < m_entries; ++i)
            readEntry();
        m_alignment = alignment();
        for (std::uint64_t i = 0; i < m_tensors; ++i)
            readTensorInfo();
        placeTensors();
        checkOverlaps();
        for (std::size_t i = 0; i < m_file.m_tensors.size(); ++i)
            m_file.m_byName.emplace(m_file.m_tensors[i].name, i);
    }

private:
    void readHead()
    {
        const auto magic = m_cursor.read<std::array<char, 4>>("the magic \"GGUF\"");
        const std::string_view letters(magic.data(), magic.size());
        if (letters != "GGUF")
            throw m_cursor.error(fmt::format("\"GGUF\" was expected, but the file begins with {}",
                                             inQuotes(letters)),
                                 0);
        readVersion();
        m_tensors = readCount("tensors", kSmallestTensorInfo);
        m_entries = readCount("metadata entries", kSmallestEntry);
    }

    void readVersion()
    {
        const std::uint64_t place = m_cursor.offset();
        const auto version = m_cursor.read<std::uint32_t>("the version");
        if (version == 2 || version == 3) {
            m_file.m_version = version;
            return;
        }
        if ((version & 0xFFFFU) == 0 && version != 0)
            throw FormatError("the file is big-endian", m_file.m_path, place,
                              "Use a file converted for little-endian processors");
        throw FormatError(
            fmt::format("GGUF version {}, but 2 or 3 was expected", version), m_file.m_path, place,
            version > 3 ? "Use a newer version of Headscope" : "Convert the model again");
    }

    /// Rejects a count whose items could not fit into the rest of the file.
    std::uint64_t readCount(const char* what, std::uint64_t smallest)
    {
        const std::uint64_t place = m_cursor.offset();
        const auto count = m_cursor.read<std::uint64_t>(what);
        if (count > m_bytes.size() / smallest)
            throw m_cursor.error(fmt::format("{} {} do not fit into a file of {} bytes", count,
                                             what, m_bytes.size()),
                                 place);
        return count;
    }

    void readEntry()
    {
        const std::uint64_t place = m_cursor.offset();
        const std::string key(m_cursor.text(kMaxKeyBytes, "a metadata key"));
        if (key.empty())
            throw m_cursor.error("an empty metadata key", place);
        GgufValue value;
        value.type = readType("the type of " + inQuotes(key));
        value.offset = m_cursor.offset();
        value.data = readValue(value.type, key);
        if (!m_file.m_metadata.add(key, std::move(value)))
            throw m_cursor.error("the metadata key " + inQuotes(key) + " occurs more than once",
                                 place);
    }

    GgufValueType readType(const std::string& what)
    {
        const std::uint64_t place = m_cursor.offset();
        const auto number = m_cursor.read<std::uint32_t>(what.c_str());
        const auto type = ggufValueType(number);
        if (!type)
            throw m_cursor.error(fmt::format("{} is {}, but 0 to 12 was expected", what, number),
                                 place);
        return *type;
    }

    decltype(GgufValue::data) readValue(GgufValueType type, const std::string& key)
    {
        const std::string what = "the value of " + inQuotes(key);
        if (type == GgufValueType::Bool)
            return readFlag(what);
        if (type == GgufValueType::String)
            return std::string(m_cursor.text(what.c_str()));
        if (type == GgufValueType::Array)
            return readArray(what);
        return std::visit([](auto number) -> decltype(GgufValue::data) { return number; },
                          m_cursor.number(type, what.c_str()));
    }

    bool readFlag(const std::string& what)
    {
        const std::uint64_t place = m_cursor.offset();
        const auto byte = m_cursor.read<std::uint8_t>(what.c_str());
        if (byte > 1)
            throw m_cursor.error(fmt::format("{} is {}, but a BOOL is 0 or 1", what, byte), place);
        return byte == 1;
    }

    GgufArray readArray(const std::string& what)
    {
        GgufArray array;
        const std::uint64_t place = m_cursor.offset();
        array.type = readType("the type of the elements in " + what);
        if (array.type == GgufValueType::Array)
            throw m_cursor.error(what + " is an array of arrays", place);
        const std::uint64_t countPlace = m_cursor.offset();
        array.count = m_cursor.read<std::uint64_t>(what.c_str());
        const bool strings = array.type == GgufValueType::String;
        const std::uint64_t smallest = strings ? 8 : byteSize(array.type);
        if (array.count > m_cursor.remaining() / smallest)
            throw m_cursor.error(fmt::format("{} has {} elements of {} bytes or more, but the file "
                                             "has only {} more bytes",
                                             what, array.count, smallest, m_cursor.remaining()),
                                 countPlace);
        const auto begin = static_cast<std::size_t>(m_cursor.offset());
        if (strings)
            for (std::uint64_t i = 0; i < array.count; ++i)
                m_cursor.text(what.c_str());
        else
            m_cursor.take(array.count * smallest, what.c_str());
        array.bytes = m_bytes.subspan(begin, static_cast<std::size_t>(m_cursor.offset()) - begin);
        return array;
    }

    std::uint64_t alignment() const
    {
        const GgufValue* const found = m_file.m_metadata.find(kAlignmentKey);
        if (found == nullptr)
            return kDefaultAlignment;
        const GgufValue& value = *found;
        const auto* const number = std::get_if<std::uint64_t>(&value.data);
        if (value.type != GgufValueType::U32 || number == nullptr)
            throw m_cursor.error(fmt::format("{} is of type {}, but U32 was expected",
                                             kAlignmentKey, toString(value.type)),
                                 value.offset);
        if (!std::has_single_bit(*number) || *number > kMaxAlignment)
            throw m_cursor.error(fmt::format("{} is {}, but a power of two up to {} was expected",
                                             kAlignmentKey, *number, kMaxAlignment),
                                 value.offset);
        return *number;
    }

    void readTensorInfo()
    {
        GgufTensor tensor;
        tensor.infoOffset = m_cursor.offset();
        tensor.name = m_cursor.text(kMaxNameBytes, "a tensor's name");
        if (tensor.name.empty())
            throw m_cursor.error("a tensor without a name", tensor.infoOffset);
        if (!m_names.insert(tensor.name).second)
            throw fault(tensor, "it occurs more than once");
        const auto rank = m_cursor.read<std::uint32_t>("the number of a tensor's dimensions");
        if (rank == 0 || rank > kMaxDimensions)
            throw fault(tensor, fmt::format("{} dimensions, but 1 to {} were expected", rank,
                                            kMaxDimensions));
        for (std::uint32_t axis = 0; axis < rank; ++axis)
            tensor.shape.insert(tensor.shape.begin(), readDimension(tensor));
        const auto type = m_cursor.read<std::uint32_t>("the type of a tensor");
        tensor.type = ggufTensorType(type);
        if (tensor.type == nullptr)
            throw fault(tensor, fmt::format("unknown type {}", type));
        m_offsets.push_back(m_cursor.read<std::uint64_t>("the offset of a tensor"));
        m_sizes.push_back(byteCount(tensor));
        m_file.m_tensors.push_back(std::move(tensor));
    }

    std::int64_t readDimension(const GgufTensor& tensor)
    {
        const auto extent = m_cursor.read<std::uint64_t>("a tensor's dimension");
        if (extent == 0 || extent > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
            throw fault(tensor, fmt::format("a dimension of {}", extent));
        return static_cast<std::int64_t>(extent);
    }

    /// Size of a whole number of blocks in every row; rejects what no file of this size can hold.
    std::uint64_t byteCount(const GgufTensor& tensor) const
    {
        const GgufTensorType& type = *tensor.type;
        const std::int64_t row = tensor.shape.back();
        if (row % type.blockElements != 0)
            throw fault(tensor, fmt::format("rows of {} elements are not whole blocks: {} are "
                                            "stored {} at a time",
                                            row, type.name, type.blockElements));
        auto bytes = static_cast<std::uint64_t>(row / type.blockElements);
        const auto multiply = [&](std::int64_t factor) {
            if (bytes > m_bytes.size() / static_cast<std::uint64_t>(factor))
                throw fault(tensor,
                            fmt::format("dimensions [{}] of type {} do not fit into a file of {} "
                                        "bytes",
                                        fmt::join(tensor.shape, ", "), type.name, m_bytes.size()));
            bytes *= static_cast<std::uint64_t>(factor);
        };
        multiply(type.blockBytes);
        for (std::size_t axis = 0; axis + 1 < tensor.shape.size(); ++axis)
            multiply(tensor.shape[axis]);
        return bytes;
    }

    void placeTensors()
    {
        const std::uint64_t begin =
            (m_cursor.offset() + m_alignment - 1) / m_alignment * m_alignment;
        for (std::size_t i = 0; i < m_file.m_tensors.size(); ++i) {
            GgufTensor& tensor = m_file.m_tensors[i];
            const std::uint64_t size = m_bytes.size();
            if (m_offsets[i] % m_alignment != 0)
                throw fault(tensor, fmt::format("its data begins at {}, but a multiple of {} was "
                                                "expected",
                                                m_offsets[i], m_alignment));
            if (begin > size || m_offsets[i] > size - begin ||
                m_sizes[i] > size - begin - m_offsets[i])
                throw fault(tensor,
                            fmt::format("{} bytes of data at byte {} + {} exceed a file of {} "
                                        "bytes",
                                        m_sizes[i], begin, m_offsets[i], size));
            tensor.bytes = m_bytes.subspan(static_cast<std::size_t>(begin + m_offsets[i]),
                                           static_cast<std::size_t>(m_sizes[i]));
        }
    }

    void checkOverlaps() const
    {
        std::vector<std::size_t> order(m_offsets.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        std::sort(order.begin(), order.end(),
                  [&](std::size_t a, std::size_t b) { return m_offsets[a] < m_offsets[b]; });
        for (std::size_t i = 1; i < order.size(); ++i) {
            const std::size_t before = order[i - 1];
            if (m_offsets[order[i]] - m_offsets[before] < m_sizes[before])
                throw fault(m_file.m_tensors[order[i]],
                            "its data overlaps that of " + inQuotes(m_file.m_tensors[before].name));
        }
    }

    FormatError fault(const GgufTensor& tensor, const std::string& problem) const
    {
        return m_cursor.error("tensor " + inQuotes(tensor.name) + ": " + problem,
                              tensor.infoOffset);
    }

    GgufFile& m_file;
    std::span<const std::byte> m_bytes;
    GgufCursor m_cursor;
    std::uint64_t m_tensors = 0;
    std::uint64_t m_entries = 0;
    std::uint64_t m_alignment = kDefaultAlignment;
    std::set<std::string> m_names;
    std::vector<std::uint64_t> m_offsets; ///< Offsets of the tensors within the data.
    std::vector<std::uint64_t> m_sizes;
};

std::int64_t GgufTensor::elementCount() const
{
    std::int64_t count = 1;
    for (const std::int64_t extent : shape)
        count *= extent;
    return count;
}

GgufFile GgufFile::open(const std::filesystem::path& path)
{
    auto map = std::make_shared<const MappedFile>(path);
    GgufFile file = fromMemory(map->bytes(), path.string());
    map->requireUnchanged();
    file.m_map = std::move(map);
    return file;
}

GgufFile GgufFile::fromMemory(std::span<const std::byte> bytes, const std::string& name)
{
    GgufFile file;
    file.m_path = name;
    file.m_metadata = GgufMetadata(name);
    GgufReader(file, bytes).read();
    return file;
}

const GgufTensor* GgufFile::find(std::string_view tensor) const
{
    const auto found = m_byName.find(tensor);
    return found == m_byName.end() ? nullptr : &m_tensors[found->second];
}

} // namespace headscope
