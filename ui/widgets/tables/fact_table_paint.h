#pragma once

class QAbstractItemDelegate;
class QHeaderView;

namespace headscope::ui {

class FactTable;

/// Squares, dots and texts of the rows. The table owns it.
QAbstractItemDelegate* makeFactDelegate(FactTable& table);

/// Titles, the one that is sorted by with its direction.
QHeaderView* makeFactHeader(FactTable& table);

} // namespace headscope::ui
