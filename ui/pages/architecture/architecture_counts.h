#pragma once

#include "core/model/weights/parameters.h"
#include "core/model/weights/running_statistics.h"
#include "ui/pages/architecture/architecture_parts.h"

#include <QString>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

namespace headscope::ui {

/// Counts the parameters whose names start with a prefix, each once.
class ParameterCounts
{
public:
    explicit ParameterCounts(const ModelConfig& config) : m_specs(parameterLayout(config))
    {
        std::erase_if(m_specs, [](const ParameterSpec& spec) {
            return isRunningStatistic(spec.name); // no parameters, see parameterCount()
        });
    }

    std::int64_t take(const std::string& prefix)
    {
        std::int64_t sum = 0;
        std::erase_if(m_specs, [&](const ParameterSpec& spec) {
            const bool ours = spec.name.starts_with(prefix);
            sum += ours ? spec.shape.elementCount() : 0;
            return ours;
        });
        return sum;
    }

    bool has(const std::string& prefix) const
    {
        return std::any_of(m_specs.begin(), m_specs.end(), [&](const ParameterSpec& spec) {
            return spec.name.starts_with(prefix);
        });
    }

private:
    std::vector<ParameterSpec> m_specs; // Parameters not yet counted.
};

/// A number, or text in its place: "12", "n", "4 × 16".
struct Extent
{
    Extent(const QString& words) : text(words) {}

    Extent(std::int64_t number) : text(QString::number(number)) {}

    QString text;
};

QString shapeText(std::initializer_list<Extent> extents); ///< Shape text such as "[12, 64]".
/// Head count and width such as "4 × 16".
QString headsText(std::int64_t heads, std::int64_t width);
QString activationName(Activation activation); ///< Activation name such as "GELU".

ArchitectureBox boxOf(const QString& name, const QString& shape, std::int64_t parameters,
                      const char* page = "");
ArchitectureBox freeBox(const QString& name, const QString& shape, const char* page = "");

} // namespace headscope::ui
