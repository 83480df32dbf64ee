#include "core/experiments/variant_groups.h"

#include "core/base/error.h"
#include "core/base/json_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>

namespace headscope {

namespace {

double meanOf(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviationOf(const std::vector<double>& values)
{
    if (values.size() < 2)
        return 0.0;
    const double mean = meanOf(values);
    const double squares =
        std::transform_reduce(values.begin(), values.end(), 0.0, std::plus<>(),
                              [mean](double value) { return (value - mean) * (value - mean); });
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::vector<double> valuesOf(const VariantGroup& group, std::string_view number)
{
    std::vector<double> values;
    for (const VariantResult* variant : group.variants)
        values.push_back(variant->number(number));
    return values;
}

/// Quantile 0.975 of Student's t distribution with `freedom` degrees of freedom.
double studentT(std::size_t freedom)
{
    constexpr std::array<double, 9> kQuantiles{12.706, 4.303, 3.182, 2.776, 2.571,
                                               2.447,  2.365, 2.306, 2.262};
    return kQuantiles[std::min(freedom, kQuantiles.size()) - 1];
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
    return meanOf(valuesOf(*this, number));
}

double VariantGroup::spread(std::string_view number) const
{
    return deviationOf(valuesOf(*this, number));
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
    const std::vector<double> a = valuesOf(one, number);
    const std::vector<double> b = valuesOf(other, number);
    if (a.size() < 2 || a.size() != b.size())
        return false;
    std::vector<double> differences;
    std::ranges::transform(a, b, std::back_inserter(differences), std::minus<>());
    const double error = deviationOf(differences) / std::sqrt(static_cast<double>(a.size()));
    return std::abs(meanOf(differences)) > studentT(a.size() - 1) * error;
}

} // namespace headscope
