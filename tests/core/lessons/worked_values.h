#pragma once

#include "core/lessons/worked/worked_example.h"

#include <QTest>

#include <cmath>
#include <string>
#include <vector>

namespace headscope::test {

/// Compares every cell of a matrix with numbers printed to six decimals.
inline void compareMatrix(const WorkedExample& example, const std::string& name,
                          const std::vector<double>& expected)
{
    const WorkedMatrix* matrix = example.find(name);
    QVERIFY2(matrix, name.c_str());
    QCOMPARE(matrix->values.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        QVERIFY2(std::abs(matrix->values[i] - expected[i]) <= 5.1e-7,
                 qPrintable(QString("%1 %2: %3 instead of %4")
                                .arg(QString::fromStdString(name))
                                .arg(i)
                                .arg(matrix->values[i], 0, 'g', 12)
                                .arg(expected[i])));
}

/// Exact form of a cell, such as "√2/2", or "none".
inline QString exactText(const WorkedExample& example, const char* reference)
{
    const CellAddress cell = example.address(reference);
    const WorkedMatrix& matrix = example.matrices[static_cast<std::size_t>(cell.matrix)];
    const auto& exact = matrix.exact[matrix.at(cell.row, cell.column)];
    return exact ? QString::fromStdString(exact->text()) : QString("none");
}

} // namespace headscope::test
