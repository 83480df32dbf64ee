#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/lessons/example_list.h"

#include <algorithm>

namespace headscope {

namespace {

const ExampleMaker& maker(std::string_view name)
{
    std::vector<std::string> known;
    for (const ExampleMaker& each : exampleMakers()) {
        if (each.entry.name == name)
            return each;
        known.push_back(each.entry.name);
    }
    throw Error("there is no example " + inQuotes(name), {}, nearestNameAdvice(name, known));
}

} // namespace

const std::vector<ExampleMaker>& exampleMakers()
{
    static const std::vector<ExampleMaker> kMakers = {
        {{"attention", "Attention, three tokens", "A2"}, attentionInputs, workAttention},
        {{"two-tokens", "Attention, two tokens", "A3"}, twoTokenInputs, workAttention},
    };
    return kMakers;
}

const std::vector<ExampleEntry>& exampleCatalogue()
{
    static const std::vector<ExampleEntry> kEntries = [] {
        std::vector<ExampleEntry> entries;
        std::ranges::transform(exampleMakers(), std::back_inserter(entries), &ExampleMaker::entry);
        return entries;
    }();
    return kEntries;
}

ExampleInputs exampleInputs(std::string_view name)
{
    return maker(name).inputs();
}

WorkedExample workExample(const ExampleInputs& inputs)
{
    return maker(inputs.example).work(inputs);
}

} // namespace headscope
