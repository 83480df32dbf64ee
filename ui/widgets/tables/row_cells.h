#pragma once

#include <QAbstractTableModel>

#include <utility>
#include <vector>

namespace headscope::ui {

/// Model of a RowTable with its columns and rows. Derived classes define the sections and their
/// contents.
template<class Column, class Row>
class RowCells : public QAbstractTableModel
{
public:
    int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(rows.size());
    }

    const Row& row(int index) const { return rows[static_cast<std::size_t>(index)]; }

    const Column& column(int index) const { return columns[static_cast<std::size_t>(index)]; }

    /// Sets the rows; `same`: the same rows with other values, which keeps the selection.
    void fill(std::vector<Row> filled, bool same)
    {
        if (!same)
            beginResetModel();
        rows = std::move(filled);
        if (!same)
            endResetModel();
        else if (!rows.empty())
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }

    void replaceColumns(std::vector<Column> replaced)
    {
        beginResetModel();
        columns = std::move(replaced);
        rows.clear();
        endResetModel();
    }

    std::vector<Column> columns;
    std::vector<Row> rows;
};

} // namespace headscope::ui
