#pragma once

#include "ui/widgets/readable.h"

#include <QPointF>
#include <QWidget>

#include <optional>

namespace headscope::ui {

/// Base class of widgets that paint items of their own, each with an area and a text. One tab stop:
/// arrows move between items, Enter or a double click opens one; tooltips and screen readers
/// (readable.h) use the texts. Derived classes define the items and their actions.
class DrawnWidget : public QWidget
{
    Q_OBJECT

public:
    /// Arrangement of items, which defines arrow keys: along the row; along the column; over the
    /// cells of a table, line by line; to the nearest in that direction.
    enum class Items { Row, Column, Table, Plane };

    DrawnWidget(Items items, const QString& accessibleName, QWidget* parent = nullptr);

    std::optional<int> currentItem() const { return m_current; } ///< Item with the keyboard focus.

protected:
    virtual int itemCount() const = 0;
    virtual QRectF itemRect(int item) const = 0;
    virtual QString itemText(int item) const = 0;

    virtual QString itemToolTip(int item) const { return itemText(item); }

    /// Tooltip at a position; by default of the item there.
    virtual QString toolTipAt(QPointF position) const;

    virtual int columnCount() const { return 1; } ///< Number of columns of a table.

    /// First item whose area contains the position.
    virtual std::optional<int> itemAt(QPointF position) const;
    /// Item that a key moves to; none: the key does nothing.
    virtual std::optional<int> itemAfter(int key) const;
    /// Accessible content: a list, or a table without names.
    virtual ReadableTable readable() const;

    /// Accessible description; by default of the current item.
    virtual QString description() const;

    /// Goes to an item, by key or click.
    virtual void goToItem(int item) { setCurrentItem(item); }

    virtual void clickItem(int item) { goToItem(item); }

    virtual bool openItem(int) { return false; } ///< Opens an item; false: nothing opens here.

    /// Handles a key before other handlers; false: not handled.
    virtual bool pressKey(const QKeyEvent&) { return false; }

    virtual void hoverChanged() {} ///< Called on hover changes; only with mouse tracking.

    /// Sets the current item and informs a screen reader while focused.
    void setCurrentItem(std::optional<int> item);
    void itemsChanged(); ///< Call when the number, texts or positions of items have changed.
    /// Like itemsChanged(), with another current item.
    void itemsChanged(std::optional<int> current);

    /// Leaves keys with these modifiers to the window.
    void leaveKeysWith(Qt::KeyboardModifiers modifiers) { m_foreign = modifiers; }

    static QPointF directionOf(int key); ///< Direction of an arrow key; null for any other key.

    void setItemToolTips(bool shown) { m_hasToolTips = shown; }

    std::optional<int> hoveredItem() const { return m_hovered; }

    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    std::optional<int> keyboardItem() const;
    std::optional<int> itemInLine(int key, Qt::Key back, Qt::Key forth) const;
    std::optional<int> itemInTable(int key) const;
    std::optional<int> itemInPlane(int key) const;
    std::optional<int> itemUnder(const QMouseEvent& event) const;
    void setHovered(std::optional<int> item);
    void makeCurrent(std::optional<int> current);

    Items m_items;
    std::optional<int> m_current;
    std::optional<int> m_hovered;
    Qt::KeyboardModifiers m_foreign = Qt::NoModifier;
    bool m_hasToolTips = true;
};

} // namespace headscope::ui
