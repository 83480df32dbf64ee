#include "core/io/npy.h"

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/file.h"

#include <bit>
#include <charconv>
#include <cstring>

namespace headscope {

namespace {

static_assert(std::endian::native == std::endian::little, "<f4 is little-endian");

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kPreamble = 10;  // magic, version, two bytes of the header's length
constexpr std::size_t kAlignment = 64; // alignment of the values in the file
constexpr std::int64_t kLargestExtent = std::int64_t{1} << 40;

std::string shapeText(const Shape& shape)
{
    std::string text = "(";
    for (int axis = 0; axis < shape.rank(); ++axis)
        text += std::to_string(shape[axis]) + (shape.rank() == 1 ? "," : "") +
                (axis + 1 < shape.rank() ? ", " : "");
    return text + ")";
}

std::string headerOf(const Shape& shape)
{
    std::string header =
        "{'descr': '<f4', 'fortran_order': False, 'shape': " + shapeText(shape) + ", }";
    const std::size_t used = (kPreamble + header.size() + 1) % kAlignment;
    header.append(used == 0 ? 0 : kAlignment - used, ' ');
    header += '\n';
    std::string bytes(kMagic);
    bytes += '\x01';
    bytes += '\0';
    bytes += static_cast<char>(header.size() & 0xFF);
    bytes += static_cast<char>(header.size() >> 8);
    return bytes + header;
}

void writeRows(const TensorView& view, const ByteSink& sink)
{
    if (view.shape.elementCount() == 0)
        return;
    if (view.isContiguous()) {
        sink(std::as_bytes(
            std::span(view.data, static_cast<std::size_t>(view.shape.elementCount()))));
        return;
    }
    for (std::int64_t row = 0; row < view.shape[0]; ++row)
        writeRows(view[row], sink);
}

/// Reads the header, a Python dictionary in text; only what numpy itself writes is supported.
class HeaderReader
{
public:
    HeaderReader(std::string_view text, std::string path) : m_text(text), m_path(std::move(path)) {}

    Shape read()
    {
        require(valueOf("'descr'").starts_with("'<f4'"), "values of type '<f4'");
        require(valueOf("'fortran_order'").starts_with("False"), "values in C order");
        return shapeFrom(valueOf("'shape'"));
    }

private:
    void require(bool holds, const std::string& expected) const
    {
        if (!holds)
            throw FormatError("expected " + expected, m_path, kPreamble,
                              "Save it with numpy.save(FILE, array.astype('float32'))");
    }

    std::string_view valueOf(std::string_view key) const
    {
        const std::size_t at = m_text.find(key);
        require(at != std::string_view::npos, "a header with " + std::string(key));
        std::string_view rest = m_text.substr(at + key.size());
        const std::size_t value = rest.find_first_not_of(": ");
        require(value != std::string_view::npos, "a value of " + std::string(key));
        return rest.substr(value);
    }

    Shape shapeFrom(std::string_view text) const
    {
        require(text.starts_with('('), "a shape such as (2, 3)");
        text.remove_prefix(1);
        Shape shape;
        while (!text.empty() && text.front() != ')') {
            std::int64_t extent = -1;
            const auto [end, error] =
                std::from_chars(text.data(), text.data() + text.size(), extent);
            require(error == std::errc() && extent >= 0 && extent <= kLargestExtent &&
                        shape.rank() < Shape::kMaxRank,
                    "a shape of at most " + std::to_string(Shape::kMaxRank) + " axes");
            shape.append(extent);
            text.remove_prefix(static_cast<std::size_t>(end - text.data()));
            const std::size_t next = text.find_first_not_of(", ");
            text.remove_prefix(next == std::string_view::npos ? text.size() : next);
        }
        require(!text.empty(), "a shape that ends in )");
        return shape;
    }

    std::string_view m_text;
    std::string m_path;
};

/// Offset and length of the header's text.
std::pair<std::size_t, std::size_t> headerPlace(std::string_view bytes, const std::string& path)
{
    if (bytes.size() < kPreamble || !bytes.starts_with(kMagic))
        throw FormatError("this is not a .npy file", path, 0);
    const auto at = [&](std::size_t index) {
        return static_cast<std::size_t>(static_cast<unsigned char>(bytes[index]));
    };
    const std::size_t version = at(6);
    if (version < 1 || version > 3)
        throw FormatError("expected format 1.0 to 3.0", path, 6);
    const bool wide = version > 1;
    if (wide && bytes.size() < kPreamble + 2)
        throw FormatError("the header is truncated", path, bytes.size());
    const std::size_t length =
        at(8) | at(9) << 8 | (wide ? at(10) << 16 | at(11) << 24 : std::size_t{0});
    const std::size_t begin = wide ? kPreamble + 2 : kPreamble;
    if (length > bytes.size() - begin)
        throw FormatError("the header is longer than the file", path, 8);
    return {begin, length};
}

/// Number of elements of a shape in the file, at most `limit`; a larger one throws.
std::size_t checkedCount(const Shape& shape, std::size_t limit, const std::string& path)
{
    std::size_t count = 1;
    for (int axis = 0; axis < shape.rank(); ++axis) {
        const auto extent = static_cast<std::size_t>(shape[axis]);
        if (extent != 0 && count > limit / extent)
            throw FormatError("the file ends before its values", path, kPreamble);
        count *= extent;
    }
    return count;
}

} // namespace

void saveNpy(const std::filesystem::path& path, const TensorView& values)
{
    writeAtomically(path, [&](const ByteSink& sink) {
        const std::string header = headerOf(values.shape);
        sink(std::as_bytes(std::span(header)));
        writeRows(values, sink);
    });
}

Tensor loadNpy(const std::filesystem::path& path)
{
    const MappedFile file(path);
    const std::string_view bytes(reinterpret_cast<const char*>(file.bytes().data()),
                                 file.bytes().size());
    const auto [begin, length] = headerPlace(bytes, path.string());
    const Shape shape = HeaderReader(bytes.substr(begin, length), path.string()).read();
    const std::size_t stored = bytes.size() - begin - length;
    const std::size_t count = checkedCount(shape, stored / sizeof(float), path.string());
    if (stored != count * sizeof(float))
        throw FormatError("expected " + std::to_string(count * sizeof(float)) +
                              " bytes of values, but there are " + std::to_string(stored),
                          path.string(), begin + length);
    Tensor tensor(shape);
    if (count != 0)
        std::memcpy(tensor.data(), bytes.data() + begin + length, stored);
    file.requireUnchanged();
    return tensor;
}

} // namespace headscope
