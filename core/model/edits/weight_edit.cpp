#include "core/model/edits/weight_edit.h"

#include "core/base/error.h"
#include "core/base/json_text.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace headscope {

namespace {

using Json = nlohmann::json;

constexpr const char* kSyntax = "Write NAME[ROW,COLUMN]=NUMBER, NAME[ROW]*=FACTOR, NAME[:,COLUMN], "
                                "NAME[H2]*=0, NAME=@MODEL or blocks.0.attn[H1,H2]=swap";

constexpr std::int64_t kMostHeads = 1 << 20;

/// Reads one edit from its text.
class EditReader
{
public:
    explicit EditReader(std::string_view text) : m_text(text), m_rest(text) {}

    WeightEdit read()
    {
        const std::size_t nameEnd = m_rest.find_first_of("[*=");
        if (nameEnd == std::string_view::npos || nameEnd == 0)
            refuse();
        m_edit.matrix = m_rest.substr(0, nameEnd);
        m_rest.remove_prefix(nameEnd);
        if (take("["))
            readSelection();
        if (take("*="))
            readFactor();
        else if (take("="))
            readRight();
        else
            refuse();
        return std::move(m_edit);
    }

private:
    [[noreturn]] void refuse() const
    {
        throw Error("no weight edit: " + inQuotes(m_text), "edit", kSyntax);
    }

    bool take(std::string_view sign)
    {
        if (!m_rest.starts_with(sign))
            return false;
        m_rest.remove_prefix(sign.size());
        return true;
    }

    std::int64_t index(std::string_view text) const
    {
        std::int64_t value = 0;
        const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (status != std::errc() || end != text.data() + text.size() || value < 0)
            refuse();
        return value;
    }

    double number(std::string_view text) const
    {
        double value = 0.0;
        const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (status != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
            refuse();
        return value;
    }

    int head(std::string_view text) const
    {
        if (!text.starts_with('H'))
            refuse();
        const std::int64_t value = index(text.substr(1));
        if (value > kMostHeads)
            refuse();
        return static_cast<int>(value);
    }

    void readSelection()
    {
        const std::size_t end = m_rest.find(']');
        if (end == std::string_view::npos)
            refuse();
        const std::string_view inside = m_rest.substr(0, end);
        m_rest.remove_prefix(end + 1);
        const std::size_t comma = inside.find(',');
        const std::string_view first = inside.substr(0, comma);
        const bool isPair = comma != std::string_view::npos;
        const std::string_view second = isPair ? inside.substr(comma + 1) : ":";
        if (first.starts_with('H'))
            return readHeads(first, isPair ? second : std::string_view());
        if (first != ":")
            m_edit.row = index(first);
        if (second != ":")
            m_edit.column = index(second);
    }

    void readHeads(std::string_view first, std::string_view second)
    {
        m_edit.head = head(first);
        if (second.empty())
            return;
        m_edit.otherHead = head(second);
        m_edit.kind = WeightEdit::Kind::Swap;
    }

    void readFactor()
    {
        if (m_edit.kind == WeightEdit::Kind::Swap)
            refuse();
        m_edit.kind = WeightEdit::Kind::Scale;
        m_edit.factor = number(m_rest);
    }

    void readRight()
    {
        const bool isSwap = m_edit.kind == WeightEdit::Kind::Swap;
        if (isSwap != (m_rest == "swap"))
            refuse();
        if (isSwap)
            return;
        if (take("@")) {
            m_edit.kind = WeightEdit::Kind::Take;
            m_edit.checkpoint = m_rest;
            if (m_rest.empty())
                refuse();
            return;
        }
        while (true) {
            const std::size_t comma = m_rest.find(',');
            m_edit.values.push_back(static_cast<float>(number(m_rest.substr(0, comma))));
            if (comma == std::string_view::npos)
                return;
            m_rest.remove_prefix(comma + 1);
        }
    }

    std::string_view m_text;
    std::string_view m_rest;
    WeightEdit m_edit;
};

std::string selectionText(const WeightEdit& edit)
{
    if (edit.kind == WeightEdit::Kind::Swap)
        return fmt::format("[H{},H{}]", edit.head.value_or(0), edit.otherHead);
    if (edit.head)
        return fmt::format("[H{}]", *edit.head);
    const auto text = [](const std::optional<std::int64_t>& index) {
        return index ? fmt::format("{}", *index) : std::string(":");
    };
    return edit.row || edit.column ? fmt::format("[{},{}]", text(edit.row), text(edit.column))
                                   : std::string();
}

[[noreturn]] void refuseField(const std::string& where, const char* key, const char* expected)
{
    throw FormatError(fmt::format("\"{}\" is not {}", key, expected), where);
}

std::int64_t indexFrom(const Json& object, const char* key, const std::string& where,
                       std::int64_t most = std::int64_t{1} << 40)
{
    const Json& value = object.at(key);
    if (!value.is_number_integer() || value.get<std::int64_t>() < 0 ||
        value.get<std::int64_t>() > most)
        refuseField(where, key, "an index from 0 on");
    return value.get<std::int64_t>();
}

std::string textFrom(const Json& object, const char* key, const std::string& where)
{
    if (!object.contains(key) || !object.at(key).is_string() ||
        object.at(key).get_ref<const std::string&>().empty())
        refuseField(where, key, "a name");
    return object.at(key).get<std::string>();
}

double numberFrom(const Json& value, const char* key, const std::string& where)
{
    if (!value.is_number() || !std::isfinite(value.get<double>()))
        refuseField(where, key, "a number");
    return value.get<double>();
}

/// Reads what the edit does: one of "set", "scale", "take" and "swap".
void readAction(const Json& object, const std::string& where, WeightEdit& edit)
{
    if (object.contains("set")) {
        const Json& values = object.at("set");
        if (!values.is_array() || values.empty())
            refuseField(where, "set", "a list of numbers");
        for (const Json& value : values)
            edit.values.push_back(static_cast<float>(numberFrom(value, "set", where)));
    } else if (object.contains("scale")) {
        edit.kind = WeightEdit::Kind::Scale;
        edit.factor = numberFrom(object.at("scale"), "scale", where);
    } else if (object.contains("take")) {
        edit.kind = WeightEdit::Kind::Take;
        edit.checkpoint = textFrom(object, "take", where);
    } else {
        edit.kind = WeightEdit::Kind::Swap;
        edit.otherHead = static_cast<int>(indexFrom(object, "swap", where, kMostHeads));
    }
}

} // namespace

std::string toString(const WeightEdit& edit)
{
    const std::string place = edit.matrix + selectionText(edit);
    switch (edit.kind) {
    case WeightEdit::Kind::Scale:
        return fmt::format("{}*={}", place, edit.factor);
    case WeightEdit::Kind::Take:
        return fmt::format("{}=@{}", place, edit.checkpoint);
    case WeightEdit::Kind::Swap:
        return place + "=swap";
    case WeightEdit::Kind::Set:
        break;
    }
    return fmt::format("{}={}", place, fmt::join(edit.values, ","));
}

WeightEdit parseWeightEdit(std::string_view text)
{
    return EditReader(text).read();
}

Json toJson(const WeightEdit& edit)
{
    Json json{{"matrix", edit.matrix}};
    if (edit.row)
        json["row"] = *edit.row;
    if (edit.column)
        json["column"] = *edit.column;
    if (edit.head)
        json["head"] = *edit.head;
    switch (edit.kind) {
    case WeightEdit::Kind::Set:
        json["set"] = edit.values;
        break;
    case WeightEdit::Kind::Scale:
        json["scale"] = edit.factor;
        break;
    case WeightEdit::Kind::Take:
        json["take"] = edit.checkpoint;
        break;
    case WeightEdit::Kind::Swap:
        json["swap"] = edit.otherHead;
        break;
    }
    return json;
}

WeightEdit weightEditFromJson(const Json& value, const std::string& where)
{
    if (value.is_string())
        return parseWeightEdit(value.get_ref<const std::string&>());
    if (!value.is_object())
        throw FormatError("a weight edit is neither an object nor text", where);
    refuseUnknownKeys(value, {"matrix", "row", "column", "head", "set", "scale", "take", "swap"},
                      where);
    const int actions = static_cast<int>(value.contains("set")) + value.contains("scale") +
                        value.contains("take") + value.contains("swap");
    if (actions != 1)
        throw FormatError(fmt::format("{} actions in one weight edit", actions), where,
                          std::nullopt, R"(Give one of "set", "scale", "take" and "swap")");
    WeightEdit edit;
    edit.matrix = textFrom(value, "matrix", where);
    if (value.contains("row"))
        edit.row = indexFrom(value, "row", where);
    if (value.contains("column"))
        edit.column = indexFrom(value, "column", where);
    if (value.contains("head"))
        edit.head = static_cast<int>(indexFrom(value, "head", where, kMostHeads));
    readAction(value, where, edit);
    if (edit.kind == WeightEdit::Kind::Swap && !edit.head)
        refuseField(where, "head", "the first head of the swap");
    return edit;
}

} // namespace headscope
