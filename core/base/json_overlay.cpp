#include "core/base/json_overlay.h"

#include "core/base/error.h"
#include "core/base/json_text.h"

namespace headscope {

namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& problem, const std::string& place,
                         const std::string& where)
{
    throw FormatError(problem + " at " + inQuotes(place.empty() ? "/" : place), where, std::nullopt,
                      "Follow the structure of the English file");
}

void replaceTexts(json& value, const json& overlay, const std::string& place,
                  const std::string& where)
{
    if (overlay.is_null())
        return;
    if (value.is_object() && overlay.is_object()) {
        for (const auto& [key, part] : overlay.items()) {
            const auto found = value.find(key);
            if (found == value.end())
                refuse("the original has no such key", place + "/" + key, where);
            replaceTexts(*found, part, place + "/" + key, where);
        }
    } else if (value.is_array() && overlay.is_array()) {
        if (value.size() != overlay.size())
            refuse("the original's list has a different length", place, where);
        for (std::size_t index = 0; index < value.size(); ++index)
            replaceTexts(value[index], overlay[index], place + "/" + std::to_string(index), where);
    } else if (value.is_string() && overlay.is_string()) {
        value = overlay;
    } else {
        refuse("only texts can be translated", place, where);
    }
}

} // namespace

json withOverlay(json original, const json& overlay, const std::string& where)
{
    replaceTexts(original, overlay, {}, where);
    return original;
}

} // namespace headscope
