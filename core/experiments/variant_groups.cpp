#include "core/experiments/variant_groups.h"

#include "core/base/error.h"
#include "core/base/json_text.h"

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

/// Square of the standard error of a mean.
double errorSquared(const VariantGroup& group, std::string_view number)
{
    return std::pow(group.spread(number), 2) / static_cast<double>(group.variants.size());
}

} // namespace

bool VariantGroup::has(std::string_view number) const
{
    return std::ranges::all_of(variants, [number](const VariantResult* variant) {
        return std::ranges::find(variant->numbers, number, &ExperimentNumber::name) !=
               variant->numbers.end();
    });
}

double VariantGroup::mean(std::string_view number) const
{
    double sum = 0.0;
    for (const VariantResult* variant : variants)
        sum += variant->number(number);
    return sum / static_cast<double>(variants.size());
}

double VariantGroup::spread(std::string_view number) const
{
    if (variants.size() < 2)
        return 0.0;
    const double middle = mean(number);
    double squares = 0.0;
    for (const VariantResult* variant : variants)
        squares += std::pow(variant->number(number) - middle, 2);
    return std::sqrt(squares / static_cast<double>(variants.size() - 1));
}

std::vector<VariantGroup> variantGroups(const Experiment& experiment,
                                        const ExperimentResult& result)
{
    std::vector<VariantGroup> groups;
    for (const ExperimentVariant& variant : experiment.variants) {
        auto found = std::ranges::find(groups, variant.group, &VariantGroup::name);
        if (found == groups.end())
            found = groups.insert(groups.end(), {variant.group, variant.groupLabel, {}});
        found->variants.push_back(&result.variant(variant.name));
    }
    return groups;
}

const VariantGroup& groupNamed(const std::vector<VariantGroup>& groups, std::string_view name)
{
    const auto found = std::ranges::find(groups, name, &VariantGroup::name);
    if (found == groups.end())
        throw Error("no such group of variants", inQuotes(std::string(name)));
    return *found;
}

bool differ(const VariantGroup& one, const VariantGroup& other, std::string_view number)
{
    const double error = std::sqrt(errorSquared(one, number) + errorSquared(other, number));
    return std::abs(one.mean(number) - other.mean(number)) > 2.0 * error;
}

} // namespace headscope
