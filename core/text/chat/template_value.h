#pragma once

#include "core/text/chat/turn_text.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace headscope {

class TemplateValue;
struct TemplateArguments;

/// Result of a name, member or item that does not exist: prints nothing, is false, has no members.
struct TemplateUndefined
{
    std::string name;
};

/// Items of a list or tuple. Templates cannot change one (transformers renders in an immutable
/// sandbox), so copies share it.
struct TemplateList
{
    std::vector<TemplateValue> items;
    bool isTuple = false;
};

/// Members in the order in which they were added.
struct TemplateMembers
{
    std::vector<std::pair<std::string, TemplateValue>> members;
    bool isNamespace = false; ///< The only value that a template changes in place: set ns.x = y.

    const TemplateValue* find(std::string_view name) const;
    void set(const std::string& name, TemplateValue value);
};

using TemplateFunction = std::function<TemplateValue(const TemplateArguments& arguments)>;

/// One value of a chat template, with Python's meaning of truth, equality, order and text.
class TemplateValue
{
public:
    TemplateValue() : m_value(nullptr) {}

    TemplateValue(bool value) : m_value(value) {}

    TemplateValue(std::int64_t value) : m_value(value) {}

    TemplateValue(double value) : m_value(value) {}

    TemplateValue(TurnText value) : m_value(std::move(value)) {}

    TemplateValue(std::string value) : m_value(TurnText(std::move(value))) {}

    TemplateValue(const char* value) : m_value(TurnText(value)) {}

    TemplateValue(TemplateUndefined value) : m_value(std::move(value)) {}

    TemplateValue(TemplateFunction value);
    TemplateValue(TemplateMembers value);

    static TemplateValue list(std::vector<TemplateValue> items, bool isTuple = false);

    static TemplateValue undefined(std::string name) { return TemplateUndefined{std::move(name)}; }

    /// Texts of the JSON are marked as those of `turn`.
    static TemplateValue fromJson(const nlohmann::ordered_json& json, int turn = kTemplateTurn);

    bool isUndefined() const { return std::holds_alternative<TemplateUndefined>(m_value); }

    bool isNone() const { return std::holds_alternative<std::nullptr_t>(m_value); }

    bool isBoolean() const { return std::holds_alternative<bool>(m_value); }

    bool isInteger() const { return std::holds_alternative<std::int64_t>(m_value); }

    bool isFloat() const { return std::holds_alternative<double>(m_value); }

    bool isNumber() const { return isBoolean() || isInteger() || isFloat(); }

    bool isString() const { return std::holds_alternative<TurnText>(m_value); }

    bool isList() const { return std::holds_alternative<std::shared_ptr<TemplateList>>(m_value); }

    bool isMapping() const
    {
        return std::holds_alternative<std::shared_ptr<TemplateMembers>>(m_value);
    }

    bool isFunction() const
    {
        return std::holds_alternative<std::shared_ptr<TemplateFunction>>(m_value);
    }

    bool truth() const;

    // Each throws Error naming what the value is when it is something else.
    std::int64_t integer() const; ///< Integers and booleans.
    double number() const;        ///< Every number.

    const std::string& string() const { return turnString().bytes(); }

    const TurnText& turnString() const; ///< The same with its turns.
    std::vector<TemplateValue>& items() const;
    TemplateMembers& members() const;
    const TemplateFunction& function() const;

    /// Items that a loop goes over: of a list, keys of a mapping, characters of a text.
    std::vector<TemplateValue> iterated() const;

    TurnText turnText() const; ///< As Python's str() writes it; nothing when undefined.
    TurnText turnRepr() const; ///< As Python's repr(): texts in quotes.

    std::string text() const { return turnText().bytes(); }

    std::string repr() const { return turnRepr().bytes(); }

    std::string kind() const; ///< For messages: "a text", "a list" ...

    friend bool operator==(const TemplateValue& a, const TemplateValue& b);

    /// Order of numbers, of texts by code points, and of lists. Throws Error for other pairs.
    friend bool operator<(const TemplateValue& a, const TemplateValue& b);

private:
    std::variant<std::nullptr_t, TemplateUndefined, bool, std::int64_t, double, TurnText,
                 std::shared_ptr<TemplateList>, std::shared_ptr<TemplateMembers>,
                 std::shared_ptr<TemplateFunction>>
        m_value;
};

/// Arguments of a call, a filter or a test.
struct TemplateArguments
{
    std::vector<TemplateValue> positional;
    std::vector<std::pair<std::string, TemplateValue>> named;

    /// The argument of this place or name, or null.
    const TemplateValue* find(std::size_t place, std::string_view name) const;
    const TemplateValue& required(std::size_t place, std::string_view name) const;
    TemplateValue optional(std::size_t place, std::string_view name, TemplateValue other) const;
};

} // namespace headscope
