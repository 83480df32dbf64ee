#include "core/lessons/labs/lab.h"

#include "core/base/builtin_text.h"
#include "core/base/content_catalogue.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/lessons/labs/builtin_labs.h"
#include "core/lessons/labs/lab_file.h"
#include "core/lessons/labs/lab_translation.h"

#include <algorithm>
#include <utility>

namespace headscope {

namespace {

std::pair<LabSubject, std::int64_t> placeOf(const Lab& lab)
{
    return {lab.subject, lab.order};
}

std::vector<Lab> readCatalogue()
{
    std::vector<Lab> labs;
    for (const BuiltinLab& builtin : builtinLabs()) {
        const std::string file = "labs/" + std::string(builtin.name) + ".json";
        labs.push_back(parseLab(builtin.name, contentText(file, builtin.text)));
        labs.back().run = [run = builtin.run](const LabSettings& settings,
                                              const LabContext& context,
                                              const std::stop_token& stop) {
            return translated(run(settings, context, stop));
        };
    }
    sortCatalogue(labs, placeOf, "resources/labs");
    return labs;
}

} // namespace

std::span<const Lab> labCatalogue()
{
    static ContentCatalogue<std::vector<Lab>> labs;
    return labs.entries(readCatalogue);
}

std::span<const Lab> labsOf(LabSubject subject)
{
    return std::ranges::equal_range(labCatalogue(), subject, {}, &Lab::subject);
}

const Lab& catalogueLab(std::string_view name)
{
    for (const Lab& lab : labCatalogue())
        if (lab.name == name)
            return lab;
    throw Error("there is no lab " + inQuotes(name), {},
                nearestNameAdvice(name, labCatalogue(), &Lab::name));
}

const LabNumber& LabResult::number(std::string_view name) const
{
    for (const LabNumber& number : numbers)
        if (number.name == name)
            return number;
    throw Error("the lab has no number " + inQuotes(name), {},
                nearestNameAdvice(name, numbers, &LabNumber::name));
}

} // namespace headscope
