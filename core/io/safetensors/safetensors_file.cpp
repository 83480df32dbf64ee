#include "core/io/safetensors/safetensors_file.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/io/safetensors/stored_tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace headscope {

namespace {

static_assert(std::endian::native == std::endian::little, "safetensors files are little-endian");

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;
constexpr std::size_t kMaxRank = 32;
constexpr int kHeaderDepth = 3; ///< Levels: file, tensor, shape.

using Json = nlohmann::json;

/// One tensor of the header, checked on its own.
struct HeaderEntry
{
    std::string name;
    DataType type = DataType::F32;
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0; ///< Offset within the data part.
    std::uint64_t end = 0;
};

/// Checks a whole file; every fault is a FormatError with the byte offset at which it was found.
class HeaderReader
{
public:
    HeaderReader(std::span<const std::byte> bytes, const std::string& path)
        : m_bytes(bytes)
        , m_path(path)
    {
    }

    void read()
    {
        findHeader();
        const Json header = parseJson(m_header, m_path, kHeaderDepth, kLengthBytes);
        for (const auto& [name, value] : header.items()) {
            if (name == "__metadata__")
                readMetadata(value);
            else
                m_entries.push_back(readEntry(name, value));
        }
        checkPlaces();
    }

    const std::vector<HeaderEntry>& entries() const { return m_entries; }

    std::map<std::string, std::string>& metadata() { return m_metadata; }

    std::span<const std::byte> data(const HeaderEntry& entry) const
    {
        return m_bytes.subspan(static_cast<std::size_t>(dataBegin() + entry.begin),
                               static_cast<std::size_t>(entry.end - entry.begin));
    }

private:
    FormatError error(const std::string& problem, std::uint64_t offset) const
    {
        return {problem, m_path, offset, "The file is damaged, or not a safetensors file"};
    }

    std::uint64_t dataBegin() const { return kLengthBytes + m_header.size(); }

    std::uint64_t dataSize() const { return m_bytes.size() - dataBegin(); }

    void findHeader()
    {
        if (m_bytes.size() < kLengthBytes)
            throw error(fmt::format("a header length of 8 bytes was expected, but the file has {}",
                                    m_bytes.size()),
                        0);
        std::uint64_t length = 0;
        std::memcpy(&length, m_bytes.data(), kLengthBytes);
        if (length > kMaxHeaderBytes)
            throw error(fmt::format("a header of {} bytes, but at most {} were expected", length,
                                    kMaxHeaderBytes),
                        0);
        if (length > m_bytes.size() - kLengthBytes)
            throw error(fmt::format("a header of {} bytes does not fit into a file of {}", length,
                                    m_bytes.size()),
                        0);
        if (length < 2)
            throw error("an empty header", 0);
        m_header = {reinterpret_cast<const char*>(m_bytes.data()) + kLengthBytes,
                    static_cast<std::size_t>(length)};
        if (m_header.front() != '{')
            throw error("a header that begins with '{' was expected", kLengthBytes);
    }

    void readMetadata(const Json& value)
    {
        if (!value.is_object())
            throw error("__metadata__ must be an object", placeOf("__metadata__"));
        for (const auto& [key, text] : value.items()) {
            if (!text.is_string())
                throw error("the metadata value " + inQuotes(key) + " must be a string",
                            placeOf("__metadata__"));
            m_metadata[key] = text.get<std::string>();
        }
    }

    HeaderEntry readEntry(const std::string& name, const Json& value) const
    {
        const auto fault = [&](const std::string& problem) { // searches the header, so only once
            return error("tensor " + inQuotes(name) + ": " + problem, placeOf(name));
        };
        if (!value.is_object() || value.size() != 3 || !value.contains("dtype") ||
            !value.contains("shape") || !value.contains("data_offsets"))
            throw fault("dtype, shape and data_offsets were expected");
        HeaderEntry entry;
        entry.name = name;
        entry.type = readType(value["dtype"], fault);
        entry.shape = readShape(value["shape"], fault);
        readOffsets(value["data_offsets"], fault, entry);
        const std::uint64_t wanted = byteCount(entry, fault);
        if (entry.end - entry.begin != wanted)
            throw fault(fmt::format("{} bytes of data, but the shape needs {}",
                                    entry.end - entry.begin, wanted));
        return entry;
    }

    template<class Fault>
    static DataType readType(const Json& value, const Fault& fault)
    {
        if (value.is_string())
            if (const auto type = dataTypeNamed(value.get_ref<const std::string&>()))
                return *type;
        throw fault("the data type " +
                    (value.is_string() ? inQuotes(value.get_ref<const std::string&>())
                                       : std::string(value.type_name())) +
                    " is not supported");
    }

    template<class Fault>
    static std::vector<std::int64_t> readShape(const Json& value, const Fault& fault)
    {
        if (!value.is_array() || value.size() > kMaxRank)
            throw fault(fmt::format("the shape must be an array of at most {} numbers", kMaxRank));
        std::vector<std::int64_t> shape;
        for (const Json& extent : value) {
            if (!extent.is_number_unsigned() ||
                extent.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
                throw fault("the shape contains something that is not an extent");
            shape.push_back(extent.get<std::int64_t>());
        }
        return shape;
    }

    template<class Fault>
    void readOffsets(const Json& value, const Fault& fault, HeaderEntry& entry) const
    {
        if (!value.is_array() || value.size() != 2 || !value[0].is_number_unsigned() ||
            !value[1].is_number_unsigned())
            throw fault("data_offsets must be two non-negative numbers");
        entry.begin = value[0].get<std::uint64_t>();
        entry.end = value[1].get<std::uint64_t>();
        if (entry.end < entry.begin)
            throw fault(
                fmt::format("the data ends at {}, before it begins at {}", entry.end, entry.begin));
        if (entry.end > dataSize())
            throw fault(fmt::format("data up to byte {} exceeds {}", entry.end, dataSize()));
    }

    /// Detects products that overflow, even behind extents of zero.
    template<class Fault>
    static std::uint64_t byteCount(const HeaderEntry& entry, const Fault& fault)
    {
        std::uint64_t bytes = byteSize(entry.type);
        bool empty = false;
        for (const std::int64_t extent : entry.shape) {
            empty = empty || extent == 0;
            const auto factor = static_cast<std::uint64_t>(std::max<std::int64_t>(extent, 1));
            if (bytes > std::numeric_limits<std::int64_t>::max() / factor)
                throw fault("the shape exceeds any memory");
            bytes *= factor;
        }
        return empty ? 0 : bytes;
    }

    /// Checks that the data of all tensors, in order, fills the data part without gap or overlap.
    void checkPlaces() const
    {
        std::vector<const HeaderEntry*> order;
        for (const HeaderEntry& entry : m_entries)
            order.push_back(&entry);
        std::sort(order.begin(), order.end(), [](const HeaderEntry* a, const HeaderEntry* b) {
            return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
        });
        std::uint64_t filled = 0;
        for (const HeaderEntry* entry : order) {
            if (entry->begin != filled)
                throw error(fmt::format("tensor {}: its data begins at {}, but {} was expected: {}",
                                        inQuotes(entry->name), entry->begin, filled,
                                        entry->begin < filled ? "it overlaps another tensor's"
                                                              : "there is a gap before it"),
                            placeOf(entry->name));
            filled = entry->end;
        }
        if (filled != dataSize())
            throw error(fmt::format("{} bytes that belong to no tensor", dataSize() - filled),
                        dataBegin() + filled);
    }

    /// Byte offset of the entry of `name` in the file; of the header when it is spelt differently
    /// there.
    std::uint64_t placeOf(const std::string& name) const
    {
        const std::size_t place = m_header.find(Json(name).dump());
        return kLengthBytes + (place == std::string_view::npos ? 0 : place);
    }

    std::span<const std::byte> m_bytes;
    std::string m_path;
    std::string_view m_header;
    std::map<std::string, std::string> m_metadata;
    std::vector<HeaderEntry> m_entries;
};

} // namespace

SafetensorsFile SafetensorsFile::open(const std::filesystem::path& path)
{
    auto mapped = std::make_shared<const MappedFile>(path);
    SafetensorsFile file = fromMemory(mapped->bytes(), path.string());
    mapped->requireUnchanged();
    file.m_file = std::move(mapped);
    return file;
}

SafetensorsFile SafetensorsFile::fromMemory(std::span<const std::byte> bytes,
                                            const std::string& name)
{
    HeaderReader reader(bytes, name);
    reader.read();
    SafetensorsFile file;
    file.m_path = name;
    file.m_metadata = std::move(reader.metadata());
    for (const HeaderEntry& entry : reader.entries())
        file.m_tensors[entry.name] = {entry.type, entry.shape, reader.data(entry)};
    return file;
}

void SafetensorsFile::requireUnchanged() const
{
    if (m_file)
        m_file->requireUnchanged();
}

const StoredTensor& SafetensorsFile::tensor(const std::string& name) const
{
    const auto found = m_tensors.find(name);
    if (found == m_tensors.end())
        throw FormatError("the tensor " + inQuotes(name) + " is missing", m_path);
    return found->second;
}

} // namespace headscope
