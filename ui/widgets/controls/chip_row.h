#pragma once

#include "ui/widgets/controls/chip_sign.h"
#include "ui/widgets/drawn_widget.h"
#include "ui/widgets/style/theme.h"

#include <optional>
#include <vector>

namespace headscope::ui {

struct Chip
{
    ChipSign sign = ChipSign::Cell;
    QString what;     ///< Title, bold.
    QString scope;    ///< Scope, plain.
    bool off = false; ///< Disabled: struck through.

    friend bool operator==(const Chip&, const Chip&) = default;
};

/// Chips side by side, each with an eye that disables or enables it and an x that removes it. Chips
/// that do not fit are counted in a "+3" at the end, which shows the next ones. One tab stop:
/// arrows move, Space toggles, Delete removes, Enter opens.
class ChipRow : public DrawnWidget
{
    Q_OBJECT

public:
    explicit ChipRow(QWidget* parent = nullptr);

    void setChips(std::vector<Chip> chips);

    const std::vector<Chip>& chips() const { return m_chips; }

    int current() const { return currentItem().value_or(-1); } ///< Current chip; -1 without chips.

    int hiddenCount() const; ///< Number of chips hidden behind "+3".

    std::optional<QRectF> chipRect(int index) const; ///< Area of a chip; none for a hidden one.
    std::optional<QRectF> crossRect(int index) const;
    std::optional<QRectF> eyeRect(int index) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void removeWanted(int index);
    void toggleWanted(int index);
    void opened(int index); ///< Emitted on Enter or a double click.

protected:
    int itemCount() const override { return static_cast<int>(m_chips.size()); }

    QRectF itemRect(int index) const override { return chipRect(index).value_or(m_more); }

    QString itemText(int index) const override;
    QString toolTipAt(QPointF position) const override;
    std::optional<int> itemAt(QPointF position) const override;
    std::optional<int> itemAfter(int key) const override;
    void goToItem(int index) override;
    bool openItem(int index) override;
    bool pressKey(const QKeyEvent& event) override;

    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    double widthOf(const Chip& chip) const;
    int visibleFrom(int first, double room) const; ///< Number of chips from `first` on that fit.
    void placeAround(int current);
    void paintChip(QPainter& painter, const Theme& theme, int index) const;

    std::vector<Chip> m_chips;
    std::vector<QRectF> m_places; ///< Areas of the chips [m_first, m_first + size).
    QRectF m_more;                ///< Area of "+3", that of all hidden chips; null without any.
    int m_first = 0;
};

} // namespace headscope::ui
