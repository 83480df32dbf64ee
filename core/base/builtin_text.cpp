#include "core/base/builtin_text.h"

#include "core/base/json_text.h"

namespace headscope {

std::string_view builtinText(std::span<const BuiltinText> texts, std::string_view name)
{
    for (const BuiltinText& text : texts)
        if (text.name == name)
            return text.text;
    throw Error("no built-in file has this name", inQuotes(name),
                nearestNameAdvice(name, texts, &BuiltinText::name));
}

} // namespace headscope
