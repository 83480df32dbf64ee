#include "core/io/hugging_face/parameter_name.h"

#include "core/base/error.h"

#include <cctype>
#include <fmt/format.h>
#include <string_view>

namespace headscope {

namespace {

void replaceAll(std::string& text, std::string_view placeholder, const std::string& number)
{
    for (std::size_t at = text.find(placeholder); at != std::string::npos;
         at = text.find(placeholder, at + number.size()))
        text.replace(at, placeholder.size(), number);
}

} // namespace

ParameterName ParameterName::of(const std::string& parameter)
{
    ParameterName name;
    const std::size_t last = parameter.rfind('.');
    name.part = parameter.substr(0, last);
    name.kind = parameter.substr(last + 1);
    const std::size_t first = name.part.find('.');
    const std::size_t second = first == std::string::npos ? first : name.part.find('.', first + 1);
    if (second == std::string::npos ||
        !std::isdigit(static_cast<unsigned char>(name.part[first + 1])))
        return name;
    name.stack = name.part.substr(0, first);
    name.layer = name.part.substr(first + 1, second - first - 1);
    name.part = name.part.substr(second + 1);
    constexpr std::string_view kExpert = "expert.";
    if (!name.part.starts_with(kExpert))
        return name;
    const std::size_t end = name.part.find('.', kExpert.size());
    name.expert = name.part.substr(kExpert.size(), end - kExpert.size());
    name.part = std::string(kExpert) + name.part.substr(end + 1);
    return name;
}

int ParameterName::queryKeyValue() const
{
    constexpr std::string_view kLetters = "qkv";
    if (!part.starts_with("attn.") || part.size() != 6)
        return -1;
    const std::size_t found = kLetters.find(part.back());
    return found == std::string_view::npos ? -1 : static_cast<int>(found);
}

std::string withNumbers(std::string text, const ParameterName& name)
{
    replaceAll(text, "{}", name.layer);
    replaceAll(text, "{e}", name.expert);
    return text;
}

PartNames::const_iterator findPart(const PartNames& names, const ParameterName& name)
{
    auto found = names.end();
    if (name.queryKeyValue() >= 0)
        found = names.find("attn.qkv");
    else if (name.part == "gate" || name.part == "up")
        found = names.find("gate_up");
    return found == names.end() ? names.find(name.part) : found;
}

std::string storedPart(const PartNames& names, const ParameterName& name)
{
    const auto found = findPart(names, name);
    if (found == names.end())
        throw Error(fmt::format("no known name for \"{}\"", name.part), "storedWeights");
    return withNumbers(found->second, name);
}

} // namespace headscope
