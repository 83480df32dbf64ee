#pragma once

#include "ui/widgets/heatmap/heatmap_matrix.h"

#include <QAccessible>
#include <QRectF>
#include <QString>

#include <functional>
#include <optional>

class QWidget;

namespace headscope::ui {

/// What a screen reader finds in a widget that draws: cells by row and column, each of them a
/// sentence. All functions are asked only for cells inside.
struct ReadableTable
{
    int rows = 0;
    int columns = 0;
    std::function<QString(int)> rowName;
    std::function<QString(int)> columnName;
    std::function<QString(HeatmapCell)> words;
    std::function<QString(HeatmapCell)> value; ///< the number alone; none: no value
    std::function<QRectF(HeatmapCell)> place;  ///< in the widget, or its viewport
    std::optional<HeatmapCell> current;        ///< where the keyboard is

    bool contains(HeatmapCell cell) const
    {
        return cell.row >= 0 && cell.row < rows && cell.column >= 0 && cell.column < columns;
    }
};

/// A widget as a table with named rows and columns. `table` is asked whenever a reader asks, and
/// must answer while the widget lives.
void makeReadable(QWidget& widget, std::function<ReadableTable()> table);

/// A widget as a list: the rows of `table`, which has one column and needs no names.
void makeReadableList(QWidget& widget, std::function<ReadableTable()> table);

/// A widget that its accessible name and description say in full: a picture, a line of text.
void makeReadable(QWidget& widget, QAccessible::Role role);

/// Tells a screen reader that the keyboard came to another cell, or that the cell's words changed.
void announceCurrent(QWidget& widget);

} // namespace headscope::ui
