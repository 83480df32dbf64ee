#include "core/base/json_text.h"

#include "core/base/error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

namespace headscope {

namespace {

using Json = nlohmann::json;

/// Iterates over the text and counts how far the parser has read.
class CountingIterator
{
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* position, const char** reached)
        : m_position(position)
        , m_reached(reached)
    {
    }

    const char& operator*() const { return *m_position; }

    CountingIterator& operator++()
    {
        *m_reached = ++m_position;
        return *this;
    }

    CountingIterator operator++(int)
    {
        const CountingIterator before = *this;
        ++*this;
        return before;
    }

    friend bool operator==(const CountingIterator& a, const CountingIterator& b)
    {
        return a.m_position == b.m_position;
    }

private:
    const char* m_position;
    const char** m_reached;
};

/// Extracts "unexpected end of input" from the library's message, without its excerpts of the file.
std::string parserComplaint(const std::string& message)
{
    const std::size_t dash = message.find(" - ");
    std::string text = dash == std::string::npos ? message : message.substr(dash + 3);
    text = text.substr(0, text.find("; last read"));
    return text.substr(0, std::min<std::size_t>(text.size(), 120));
}

/// Builds a value and rejects what the JSON library accepts. (Its own callbacks scan all earlier
/// siblings of every object: a million take hours.)
class StrictBuilder final : public nlohmann::json_sax<Json>
{
public:
    using MakeError = std::function<FormatError(const std::string&)>;

    StrictBuilder(int maxDepth, MakeError error) : m_maxDepth(maxDepth), m_error(std::move(error))
    {
    }

    Json take() { return std::move(m_root); }

    bool null() override { return add(nullptr); }

    bool boolean(bool value) override { return add(value); }

    bool number_integer(number_integer_t value) override { return add(value); }

    bool number_unsigned(number_unsigned_t value) override { return add(value); }

    bool number_float(number_float_t value, const string_t&) override { return add(value); }

    bool string(string_t& value) override { return add(std::move(value)); }

    bool binary(binary_t& value) override { return add(std::move(value)); }

    bool start_object(std::size_t) override { return begin(Json::object()); }

    bool start_array(std::size_t) override { return begin(Json::array()); }

    bool end_object() override { return end(); }

    bool end_array() override { return end(); }

    bool key(string_t& name) override
    {
        const auto [place, isNew] =
            m_open.back()->get_ref<Json::object_t&>().try_emplace(std::move(name));
        if (!isNew)
            throw m_error("JSON with the key " + inQuotes(place->first) + " more than once");
        m_member = &place->second;
        return true;
    }

    bool parse_error(std::size_t, const std::string&, const Json::exception& problem) override
    {
        constexpr int kNumberOverflow = 406;
        throw m_error("invalid JSON: " + (problem.id == kNumberOverflow
                                              ? "a number exceeds the range of a double"
                                              : parserComplaint(problem.what())));
    }

private:
    /// Where the next value goes: the document itself, a member, or the end of an array.
    Json* put(Json&& value)
    {
        Json* place = &m_root;
        if (!m_open.empty() && m_open.back()->is_array())
            place = &m_open.back()->get_ref<Json::array_t&>().emplace_back();
        else if (!m_open.empty())
            place = m_member;
        *place = std::move(value);
        return place;
    }

    bool add(Json value)
    {
        put(std::move(value));
        return true;
    }

    bool begin(Json&& container)
    {
        if (m_open.size() >= static_cast<std::size_t>(m_maxDepth))
            throw m_error(fmt::format("JSON nested deeper than {} levels", m_maxDepth));
        m_open.push_back(put(std::move(container))); // parents are not changed while it is open
        return true;
    }

    bool end()
    {
        m_open.pop_back();
        return true;
    }

    int m_maxDepth;
    MakeError m_error;
    Json m_root;
    std::vector<Json*> m_open; ///< Objects and arrays that have not ended.
    Json* m_member = nullptr;  ///< Member of the last key.
};

/// Edit distance that counts swapped neighbours as one edit (optimal string alignment).
std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> twoBack(b.size() + 1);
    std::vector<std::size_t> oneBack(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(oneBack.begin(), oneBack.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = oneBack[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({oneBack[j] + 1, row[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], twoBack[j - 2] + 1);
        }
        std::swap(twoBack, oneBack);
        std::swap(oneBack, row);
    }
    return oneBack[b.size()];
}

/// Bytes of the valid UTF-8 character that starts at `i`, or 0.
std::size_t characterLength(std::string_view text, std::size_t i)
{
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xC2 ? 0
                               : lead < 0xE0 ? 2
                               : lead < 0xF0 ? 3
                               : lead < 0xF5 ? 4
                                             : 0;
    if (length == 0 || i + length > text.size())
        return 0;
    for (std::size_t k = 1; k < length; ++k)
        if ((static_cast<unsigned char>(text[i + k]) & 0xC0) != 0x80)
            return 0;
    return length;
}

} // namespace

Json parseJson(std::string_view text, const std::string& where, int maxDepth,
               std::uint64_t firstOffset)
{
    const char* reached = text.data();
    const auto error = [&](const std::string& problem) {
        const auto offset = static_cast<std::uint64_t>(reached - text.data());
        return FormatError(problem, where, firstOffset + offset);
    };
    StrictBuilder builder(maxDepth, error);
    const char* const end = text.data() + text.size();
    Json::sax_parse(CountingIterator(text.data(), &reached), CountingIterator(end, &reached),
                    &builder);
    return builder.take();
}

std::string dumpJson(const Json& value)
{
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string nearestName(std::string_view name, const std::vector<std::string>& known)
{
    std::string nearest;
    std::size_t best = 0;
    for (const std::string& candidate : known) {
        const std::size_t longer = std::max(name.size(), candidate.size());
        const std::size_t allowed = (longer + 1) / 3;
        if (longer - std::min(name.size(), candidate.size()) > allowed)
            continue;
        const std::size_t distance = editDistance(name, candidate);
        if (distance <= allowed && (nearest.empty() || distance < best)) {
            nearest = candidate;
            best = distance;
        }
    }
    return nearest;
}

std::string nearestNameAdvice(std::string_view name, const std::vector<std::string>& known)
{
    const std::string nearest = nearestName(name, known);
    if (!nearest.empty())
        return "Did you mean \"" + nearest + "\"?";
    return known.empty() ? std::string() : fmt::format("Known: {}", fmt::join(known, ", "));
}

std::string inQuotes(std::string_view text)
{
    constexpr std::size_t kLongest = 60;
    std::string shown = "\"";
    for (std::size_t i = 0; i < text.size();) {
        if (shown.size() > kLongest) {
            shown += "...";
            break;
        }
        const std::size_t length = characterLength(text, i);
        const auto byte = static_cast<unsigned char>(text[i]);
        if (length == 0 || byte < 0x20 || byte == 0x7F)
            shown += fmt::format("\\x{:02x}", byte);
        else
            shown += text.substr(i, length);
        i += std::max<std::size_t>(length, 1);
    }
    shown += '"';
    return shown;
}

void refuseUnknownKeys(const Json& object, const std::vector<std::string>& known,
                       const std::string& where)
{
    if (!object.is_object())
        throw FormatError(fmt::format("a JSON object was expected, not {}", object.type_name()),
                          where);
    for (const auto& [key, value] : object.items()) {
        if (std::find(known.begin(), known.end(), key) == known.end())
            throw FormatError("unknown key " + inQuotes(key), where, std::nullopt,
                              nearestNameAdvice(key, known));
    }
}

} // namespace headscope
