#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/lessons/labs/lab_groups.h"

#include <algorithm>
#include <iterator>

namespace headscope {

std::span<const Lab> labCatalogue()
{
    static const std::vector<Lab> kLabs = [] {
        std::vector<Lab> labs;
        for (const auto& group :
             {labsOfText, labsOfOrder, labsOfAttention, labsOfMasks, labsOfBlocks, labsOfModels,
              labsOfTraining, labsOfDecoding, labsOfHeads})
            std::ranges::move(group(), std::back_inserter(labs));
        return labs;
    }();
    return kLabs;
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
