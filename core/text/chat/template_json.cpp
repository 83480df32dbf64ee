#include "core/text/chat/template_json.h"

#include "core/base/error.h"
#include "core/text/chat/template_scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

std::string escaped(char c)
{
    static constexpr std::string_view kNamed = "\"\\\n\r\t\b\f";
    static constexpr std::string_view kNames = "\"\\nrtbf";
    if (const std::size_t index = kNamed.find(c); index != std::string_view::npos)
        return std::string("\\") + kNames[index];
    if (static_cast<unsigned char>(c) < 0x20)
        return fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    return {c};
}

TurnText jsonString(const TurnText& text)
{
    TurnText result("\"");
    for (const TurnRange& piece : text.pieces())
        for (std::size_t at = piece.bytes.begin; at < piece.bytes.end; ++at)
            result.append(escaped(text.bytes()[at]), piece.turn);
    result.append("\"");
    return result;
}

class JsonWriter
{
public:
    JsonWriter(int indent, const std::string& itemSeparator, const std::string& keySeparator,
               bool sortKeys)
        : m_indent(indent)
        , m_itemSeparator(itemSeparator)
        , m_keySeparator(keySeparator)
        , m_sortKeys(sortKeys)
    {
    }

    void write(const TemplateValue& value, int level)
    {
        checkTemplateBytes(m_text.size());
        if (value.isString())
            m_text += jsonString(value.turnString());
        else if (value.isNone())
            m_text.append("null");
        else if (value.isBoolean())
            m_text.append(value.truth() ? "true" : "false");
        else if (value.isFloat())
            m_text.append(floatText(value));
        else if (value.isInteger())
            m_text.append(value.repr());
        else if (value.isList())
            writeList(value.items(), level);
        else if (value.isMapping() && !value.members().isNamespace)
            writeMembers(value.members().members, level);
        else
            throw Error(value.kind() + " cannot be written as JSON");
    }

    TurnText take() { return std::move(m_text); }

private:
    static std::string floatText(const TemplateValue& value)
    {
        if (std::isnan(value.number()))
            return "NaN";
        if (std::isinf(value.number()))
            return value.number() < 0 ? "-Infinity" : "Infinity";
        return value.repr();
    }

    void newLine(int level)
    {
        if (m_indent >= 0)
            m_text.append('\n' + std::string(static_cast<std::size_t>(m_indent * level), ' '));
    }

    void writeList(const std::vector<TemplateValue>& items, int level)
    {
        m_text.append("[");
        for (std::size_t i = 0; i < items.size(); ++i) {
            m_text.append(i > 0 ? m_itemSeparator : std::string());
            newLine(level + 1);
            write(items[i], level + 1);
        }
        if (!items.empty())
            newLine(level);
        m_text.append("]");
    }

    void writeMembers(std::vector<std::pair<std::string, TemplateValue>> members, int level)
    {
        if (m_sortKeys)
            std::ranges::stable_sort(members, {}, [](const auto& member) { return member.first; });
        m_text.append("{");
        for (std::size_t i = 0; i < members.size(); ++i) {
            m_text.append(i > 0 ? m_itemSeparator : std::string());
            newLine(level + 1);
            m_text += jsonString(members[i].first);
            m_text.append(m_keySeparator);
            write(members[i].second, level + 1);
        }
        if (!members.empty())
            newLine(level);
        m_text.append("}");
    }

    TurnText m_text;
    int m_indent;
    const std::string& m_itemSeparator;
    const std::string& m_keySeparator;
    bool m_sortKeys;
};

} // namespace

TurnText jsonOfTemplate(const TemplateValue& value, int indent, const std::string& itemSeparator,
                        const std::string& keySeparator, bool sortKeys)
{
    JsonWriter writer(indent, itemSeparator, keySeparator, sortKeys);
    writer.write(value, 0);
    return writer.take();
}

} // namespace headscope
