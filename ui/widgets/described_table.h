#pragma once

#include "ui/widgets/heatmap_matrix.h"

#include <QRect>
#include <QString>

#include <optional>

class QWidget;

namespace headscope::ui {

/// A drawing widget that says its picture as a table, in words: screen readers find rows and
/// columns with names where sighted people see curves.
class DescribedTable
{
public:
    DescribedTable();
    virtual ~DescribedTable() = default;

    virtual int tableRows() const = 0;
    virtual int tableColumns() const = 0;
    virtual QString tableRowName(int row) const = 0;
    virtual QString tableColumnName(int column) const = 0;
    virtual QString tableCellWords(HeatmapCell cell) const = 0; ///< the whole sentence
    virtual QString tableCellValue(HeatmapCell cell) const = 0; ///< its number or numbers alone
    virtual QRect tableCellPlace(HeatmapCell cell) const = 0;   ///< in the widget
    virtual std::optional<HeatmapCell> tableCurrent() const = 0;

protected:
    DescribedTable(const DescribedTable&) = default;
    DescribedTable& operator=(const DescribedTable&) = default;
};

/// Tells a screen reader that the current cell of this widget is another one, or says something
/// else.
void announceTableCell(QWidget& widget, const DescribedTable& table);

} // namespace headscope::ui
