#include "core/lessons/often_said.h"

#include "core/base/content_language.h"

namespace headscope {

std::string oftenSaidText(const JsonRecord& record)
{
    std::string text;
    if (!record.has("often_said"))
        return text;
    for (const nlohmann::json& value : record.neededList("often_said")) {
        const JsonRecord claim(value, record.part("often_said"), {"said", "here"}, record.where());
        text += "\n\n**" + message("Often said:") + "** " + claim.needed("said") + " **" +
                message("Computed here:") + "** " + claim.needed("here");
    }
    return text;
}

} // namespace headscope
