#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/lessons/labs/builtin_labs.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/lab_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
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
        labs.push_back(parseLab(builtin.name, builtin.text));
        labs.back().run = builtin.run;
    }
    std::ranges::sort(labs, {}, placeOf);
    const auto twin = std::ranges::adjacent_find(labs, {}, placeOf);
    if (twin != labs.end())
        throw FormatError(
            fmt::format("\"order\" is {}, as that of \"{}\"", twin->order, twin->name),
            fmt::format("resources/labs/{}.json", std::next(twin)->name), std::nullopt,
            "Give another");
    return labs;
}

} // namespace

std::span<const Lab> labCatalogue()
{
    static const std::vector<Lab> kLabs = readCatalogue();
    return kLabs;
}

std::span<const Lab> labsOf(LabSubject subject)
{
    return std::ranges::equal_range(labCatalogue(), subject, {}, &Lab::subject);
}

const Lab& catalogueLab(std::string_view name)
{
    std::vector<std::string> known;
    for (const Lab& lab : labCatalogue()) {
        if (lab.name == name)
            return lab;
        known.push_back(lab.name);
    }
    throw Error("there is no lab " + inQuotes(name), {}, nearestNameAdvice(name, known));
}

const LabNumber& LabResult::number(std::string_view name) const
{
    std::vector<std::string> known;
    for (const LabNumber& number : numbers) {
        if (number.name == name)
            return number;
        known.push_back(number.name);
    }
    throw Error("the lab has no number " + inQuotes(name), {}, nearestNameAdvice(name, known));
}

} // namespace headscope
