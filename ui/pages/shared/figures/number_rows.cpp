#include "ui/pages/shared/figures/number_rows.h"

namespace headscope::ui {

void NumberRows::add(const QString& name, std::span<const double> values)
{
    m_names << name;
    for (const double value : values)
        m_values.push_back(static_cast<float>(value));
}

void NumberRows::add(const QString& name, std::initializer_list<double> values)
{
    add(name, std::span(values.begin(), values.size()));
}

NumberTable NumberRows::table(const QString& name, const QStringList& columns) const
{
    return {name, m_names, columns,
            HeatmapMatrix::copyOf(m_values, static_cast<int>(m_names.size()),
                                  static_cast<int>(columns.size()))};
}

} // namespace headscope::ui
