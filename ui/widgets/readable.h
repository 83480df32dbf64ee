#pragma once

#include "ui/widgets/heatmap/heatmap_matrix.h"

#include <QAccessible>
#include <QRectF>
#include <QString>

#include <functional>
#include <optional>

class QWidget;

namespace headscope::ui {

/// Contents of a painted widget for screen readers: cells by row and column, each with a sentence.
/// All functions are called only with cells inside.
struct ReadableTable
{
    int rows = 0;
    int columns = 0;
    std::function<QString(int)> rowName;
    std::function<QString(int)> columnName;
    std::function<QString(HeatmapCell)> words;
    std::function<QString(HeatmapCell)> value; ///< Value of a cell as text; none: no value.
    std::function<QRectF(HeatmapCell)> place;  ///< Area of a cell in the widget or its viewport.
    std::optional<HeatmapCell> current;        ///< Cell with the keyboard focus.

    bool contains(HeatmapCell cell) const
    {
        return cell.row >= 0 && cell.row < rows && cell.column >= 0 && cell.column < columns;
    }
};

/// Exposes a widget as a table with named rows and columns. `table` is called on every request and
/// must work as long as the widget exists.
void makeReadable(QWidget& widget, std::function<ReadableTable()> table);

/// Exposes a widget as a list: the rows of `table`, which has one column and needs no names.
void makeReadableList(QWidget& widget, std::function<ReadableTable()> table);

/// Exposes a widget that its accessible name and description cover completely, such as an image or
/// a line of text.
void makeReadable(QWidget& widget, QAccessible::Role role);

/// Informs a screen reader that another cell has the keyboard focus, or that the cell's text
/// changed.
void announceCurrent(QWidget& widget);

} // namespace headscope::ui
