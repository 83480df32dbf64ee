#pragma once

#include "core/base/message_template.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Translations of the texts that core computes. A key is the format string of which the English text
/// is made; braces of a constant are doubled there.
class MessageCatalogue
{
public:
    /// Adds an object of keys and translations. Throws FormatError with `where` for anything but
    /// texts, for a key that another file translates differently, and for placeholders that differ.
    void add(std::string_view json, const std::string& where);

    /// Translation of `english`, or `english` itself. Arguments of a format string are translated
    /// likewise, except numbers and what is in quotation marks.
    std::string translated(std::string_view english) const;

    std::size_t size() const { return m_texts.size() + m_templates.size(); }

private:
    std::string translated(std::string_view english, int depth) const;

    std::map<std::string, std::string, std::less<>> m_keys; ///< As in the files.
    std::map<std::string, std::string, std::less<>> m_texts;
    std::vector<MessageTemplate> m_templates; ///< Those with the longest literals first.
};

} // namespace headscope
