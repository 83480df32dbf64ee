#include "core/base/json_text.h"
#include "core/io/gguf/gguf_cursor.h"
#include "core/io/gguf/gguf_file.h"

#include <limits>

namespace headscope {

namespace {

/// Text of a value for errors.
std::string shown(const GgufValue& value)
{
    struct Show
    {
        GgufValueType type;

        std::string operator()(std::uint64_t number) const { return fmt::format("{}", number); }

        std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }

        std::string operator()(double number) const { return fmt::format("{}", number); }

        std::string operator()(bool flag) const { return flag ? "true" : "false"; }

        std::string operator()(const std::string& text) const { return inQuotes(text); }

        std::string operator()(const GgufArray& array) const
        {
            return fmt::format("an array of {} {}", array.count, toString(array.type));
        }
    };

    return std::visit(Show{value.type}, value.data);
}

bool isInteger(GgufValueType type)
{
    return byteSize(type) > 0 && type != GgufValueType::F32 && type != GgufValueType::F64 &&
           type != GgufValueType::Bool;
}

/// One element of an array of numbers.
template<class Target>
Target readNumber(GgufCursor& cursor, GgufValueType type)
{
    return std::visit([](auto number) { return static_cast<Target>(number); },
                      cursor.number(type, "an element of an array"));
}

} // namespace

const GgufValue* GgufMetadata::find(std::string_view key) const
{
    const auto found = m_values.find(key);
    return found == m_values.end() ? nullptr : &found->second;
}

const GgufValue& GgufMetadata::value(std::string_view key) const
{
    const GgufValue* const found = find(key);
    if (found == nullptr)
        throw FormatError(fmt::format("the metadata lacks {}", inQuotes(key)), m_path, std::nullopt,
                          "The file is incomplete; convert the model again");
    return *found;
}

FormatError GgufMetadata::refusal(std::string_view key, const std::string& advice) const
{
    const GgufValue& found = value(key);
    const std::string quoted = inQuotes(key);
    return {fmt::format("{} is {}", quoted.substr(1, quoted.size() - 2), shown(found)), m_path,
            found.offset, advice};
}

std::int64_t GgufMetadata::integer(std::string_view key,
                                   std::optional<std::int64_t> otherwise) const
{
    if (otherwise && !has(key))
        return *otherwise;
    const GgufValue& found = value(key);
    if (const auto* const number = std::get_if<std::int64_t>(&found.data))
        return *number;
    const auto* const number = std::get_if<std::uint64_t>(&found.data);
    if (number == nullptr || *number > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
        throw refusal(key, "A whole number below 2^63 was expected");
    return static_cast<std::int64_t>(*number);
}

double GgufMetadata::number(std::string_view key, std::optional<double> otherwise) const
{
    if (otherwise && !has(key))
        return *otherwise;
    const GgufValue& found = value(key);
    if (const auto* const number = std::get_if<double>(&found.data))
        return *number;
    if (!isInteger(found.type))
        throw refusal(key, "A number was expected");
    return static_cast<double>(integer(key));
}

bool GgufMetadata::flag(std::string_view key, std::optional<bool> otherwise) const
{
    if (otherwise && !has(key))
        return *otherwise;
    if (const bool* const found = std::get_if<bool>(&value(key).data))
        return *found;
    throw refusal(key, "A BOOL was expected");
}

std::string GgufMetadata::text(std::string_view key, std::optional<std::string> otherwise) const
{
    if (otherwise && !has(key))
        return *otherwise;
    if (const std::string* const found = std::get_if<std::string>(&value(key).data))
        return *found;
    throw refusal(key, "A STRING was expected");
}

const GgufArray* GgufMetadata::array(std::string_view key, const char* expected) const
{
    const GgufValue* const kept = find(key);
    if (kept == nullptr)
        return nullptr;
    const GgufArray* const found = std::get_if<GgufArray>(&kept->data);
    if (found == nullptr)
        throw refusal(key, std::string(expected) + " was expected");
    return found;
}

// The bytes may have changed since they were checked, so arrays are validated again.

std::vector<std::string> GgufMetadata::texts(std::string_view key) const
{
    const char* const expected = "An array of STRING";
    const GgufArray* const found = array(key, expected);
    if (found == nullptr)
        return {};
    if (found->type != GgufValueType::String)
        throw refusal(key, std::string(expected) + " was expected");
    GgufCursor cursor(found->bytes, m_path, value(key).offset);
    std::vector<std::string> result(static_cast<std::size_t>(found->count));
    for (std::string& text : result)
        text = cursor.text("an element of an array");
    return result;
}

std::vector<std::int64_t> GgufMetadata::integers(std::string_view key) const
{
    const char* const expected = "An array of whole numbers below 2^63";
    const GgufArray* const found = array(key, expected);
    if (found == nullptr)
        return {};
    if (!isInteger(found->type))
        throw refusal(key, std::string(expected) + " was expected");
    GgufCursor cursor(found->bytes, m_path, value(key).offset);
    std::vector<std::int64_t> result(static_cast<std::size_t>(found->count));
    for (std::int64_t& number : result) {
        number = readNumber<std::int64_t>(cursor, found->type);
        if (number < 0 && found->type == GgufValueType::U64)
            throw refusal(key, std::string(expected) + " was expected");
    }
    return result;
}

std::vector<float> GgufMetadata::numbers(std::string_view key) const
{
    const char* const expected = "An array of numbers";
    const GgufArray* const found = array(key, expected);
    if (found == nullptr)
        return {};
    if (found->type == GgufValueType::String)
        throw refusal(key, std::string(expected) + " was expected");
    GgufCursor cursor(found->bytes, m_path, value(key).offset);
    std::vector<float> result(static_cast<std::size_t>(found->count));
    for (float& number : result)
        number = readNumber<float>(cursor, found->type);
    return result;
}

} // namespace headscope
