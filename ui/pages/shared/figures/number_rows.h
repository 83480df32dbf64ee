#pragma once

#include "ui/pages/shared/figures/figure.h"

#include <initializer_list>
#include <span>

namespace headscope::ui {

/// Rows of a NumberTable, added one by one.
class NumberRows
{
public:
    void add(const QString& name, std::span<const double> values);
    void add(const QString& name, std::initializer_list<double> values);

    /// The rows under these columns, one for each value of a row.
    NumberTable table(const QString& name, const QStringList& columns) const;

private:
    QStringList m_names;
    std::vector<float> m_values;
};

} // namespace headscope::ui
