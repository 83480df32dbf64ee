#pragma once

#include "ui/widgets/readable.h"

#include <QPointF>
#include <QWidget>

#include <optional>

namespace headscope::ui {

/// A widget that draws items of its own, each with a rectangle and words. It is one tab stop:
/// arrows go from item to item, Enter or a double click opens one; tooltips and screen readers
/// (readable.h) have the words. Who derives says what the items are and what becomes of them.
class DrawnWidget : public QWidget
{
    Q_OBJECT

public:
    /// How items lie, and so which arrows go where: along the row; along the column; over the cells
    /// of a table, line by line; to the nearest one in that direction.
    enum class Items { Row, Column, Table, Plane };

    DrawnWidget(Items items, const QString& accessibleName, QWidget* parent = nullptr);

    std::optional<int> currentItem() const { return m_current; } ///< where the keyboard is

protected:
    virtual int itemCount() const = 0;
    virtual QRectF itemRect(int item) const = 0;
    virtual QString itemWords(int item) const = 0;

    virtual QString itemToolTip(int item) const { return itemWords(item); }

    virtual QString toolTipAt(QPointF position) const; ///< by default of the item there

    virtual int columnCount() const { return 1; } ///< of a table

    virtual std::optional<int> itemAt(QPointF position) const; ///< the first with a rectangle there
    virtual std::optional<int> itemAfter(int key) const;       ///< none: the key goes nowhere
    virtual ReadableTable readable() const;                    ///< a list, or a table without names

    virtual QString description() const; ///< the accessible one: by default of the current item

    virtual void goToItem(int item) { setCurrentItem(item); } ///< by a key, or by a click

    virtual void clickItem(int item) { goToItem(item); }

    virtual bool openItem(int) { return false; } ///< false: nothing opens here

    virtual bool pressKey(const QKeyEvent&) { return false; } ///< asked first; false: not its key

    virtual void hoverChanged() {} ///< only with mouse tracking

    void setCurrentItem(std::optional<int> item);  ///< tells a screen reader while it has the focus
    void itemsChanged();                           ///< their number, words or places
    void itemsChanged(std::optional<int> current); ///< and another one is current

    /// Keys with these modifiers are left to the window.
    void leaveKeysWith(Qt::KeyboardModifiers modifiers) { m_foreign = modifiers; }

    static QPointF directionOf(int key); ///< of an arrow; null for any other key

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
