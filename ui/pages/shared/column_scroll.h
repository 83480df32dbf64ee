#pragma once

#include <QScrollArea>

namespace headscope::ui {

/// Scroll area of a page: no frame, no focus of its own, and content as wide as the area, so that
/// it only scrolls up and down.
class ColumnScroll : public QScrollArea
{
    Q_OBJECT

public:
    explicit ColumnScroll(QWidget* content, QWidget* parent = nullptr);

    void makeTransparent(); ///< Shows the background of its parent.
};

/// A transparent one.
ColumnScroll* transparentScroll(QWidget* content, QWidget* parent = nullptr);

} // namespace headscope::ui
