#include "core/io/safetensors/safetensors_writer.h"

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/io/safetensors/stored_tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace headscope {

namespace {

static_assert(std::endian::native == std::endian::little, "safetensors files are little-endian");

/// Calls `sink` with the values of a view in row-major order, the innermost rows at once.
void writeView(const TensorView& view, const ByteSink& sink)
{
    if (view.shape.elementCount() == 0)
        return;
    if (view.isContiguous()) {
        sink(std::as_bytes(
            std::span(view.data, static_cast<std::size_t>(view.shape.elementCount()))));
        return;
    }
    if (view.shape.rank() == 1) {
        for (std::int64_t i = 0; i < view.shape[0]; ++i)
            sink(std::as_bytes(std::span(&view(i), 1)));
        return;
    }
    for (std::int64_t i = 0; i < view.shape[0]; ++i)
        writeView(view[i], sink);
}

/// Buffers small pieces, so that a system call writes many.
class BufferedSink
{
public:
    explicit BufferedSink(const ByteSink& sink) : m_sink(sink), m_buffer(kCapacity) {}

    void add(std::span<const std::byte> bytes)
    {
        if (m_used + bytes.size() > kCapacity)
            flush();
        if (bytes.size() > kCapacity) {
            m_sink(bytes);
            return;
        }
        std::copy(bytes.begin(), bytes.end(),
                  m_buffer.begin() + static_cast<std::ptrdiff_t>(m_used));
        m_used += bytes.size();
    }

    void flush()
    {
        if (m_used != 0)
            m_sink(std::span(m_buffer).first(m_used));
        m_used = 0;
    }

private:
    static constexpr std::size_t kCapacity = std::size_t{1} << 16;
    const ByteSink& m_sink;
    std::vector<std::byte> m_buffer;
    std::size_t m_used = 0;
};

} // namespace

struct SafetensorsWriter::Entry
{
    std::string name;
    std::vector<std::int64_t> shape;
    std::optional<TensorView> floats;
    std::vector<std::int64_t> integers; ///< Integers, unless there are `floats`.

    DataType type() const { return floats ? DataType::F32 : DataType::I64; }

    std::uint64_t byteCount() const
    {
        return floats ? static_cast<std::uint64_t>(floats->shape.elementCount()) * sizeof(float)
                      : integers.size() * sizeof(std::int64_t);
    }

    void write(BufferedSink& sink) const
    {
        const auto add = [&](std::span<const std::byte> bytes) { sink.add(bytes); };
        if (floats)
            writeView(*floats, add);
        else
            add(std::as_bytes(std::span(integers)));
    }
};

void SafetensorsWriter::setMetadata(const std::string& key, const std::string& value)
{
    m_metadata[key] = value;
}

void SafetensorsWriter::add(std::shared_ptr<const Entry> entry)
{
    const bool known = std::any_of(m_entries.begin(), m_entries.end(),
                                   [&](const auto& other) { return other->name == entry->name; });
    if (known || entry->name == "__metadata__")
        throw Error("SafetensorsWriter::add: the name " + inQuotes(entry->name) +
                    " is already used");
    m_entries.push_back(std::move(entry));
}

void SafetensorsWriter::add(const std::string& name, TensorView values)
{
    if (!values.data && values.shape.elementCount() != 0)
        throw ShapeError("SafetensorsWriter::add: no values for the tensor " + inQuotes(name) +
                         " of shape " + values.shape.toString());
    add(std::make_shared<const Entry>(
        Entry{name, {values.shape.begin(), values.shape.end()}, values, {}}));
}

void SafetensorsWriter::add(const std::string& name, std::span<const std::int64_t> values,
                            std::vector<std::int64_t> shape)
{
    std::int64_t count = 1;
    for (const std::int64_t extent : shape)
        count *= extent;
    if (count != static_cast<std::int64_t>(values.size()))
        throw ShapeError(fmt::format("SafetensorsWriter::add: {} values for the tensor {} of {}",
                                     values.size(), inQuotes(name), count));
    add(std::make_shared<const Entry>(
        Entry{name, std::move(shape), {}, {values.begin(), values.end()}}));
}

void SafetensorsWriter::write(const std::filesystem::path& path) const
{
    auto entries = m_entries; // wider types first keep every value aligned
    std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
        return byteSize(a->type()) > byteSize(b->type());
    });
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    if (!m_metadata.empty())
        header["__metadata__"] = m_metadata;
    std::uint64_t end = 0;
    for (const auto& entry : entries) {
        const std::uint64_t begin = end;
        end += entry->byteCount();
        header[entry->name] = {{"dtype", toString(entry->type())},
                               {"shape", entry->shape},
                               {"data_offsets", {begin, end}}};
    }
    std::string text =
        header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    text.resize((text.size() + 7) / 8 * 8, ' ');
    const std::uint64_t length = text.size();
    writeAtomically(path, [&](const ByteSink& sink) {
        BufferedSink buffered(sink);
        buffered.add(std::as_bytes(std::span(&length, 1)));
        buffered.add(std::as_bytes(std::span(text)));
        for (const auto& entry : entries)
            entry->write(buffered);
        buffered.flush();
    });
}

} // namespace headscope
