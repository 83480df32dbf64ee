#pragma once

#include "ui/widgets/controls/chip_sign.h"
#include "ui/widgets/readable.h"
#include "ui/widgets/style/theme.h"

#include <QRectF>
#include <QWidget>

#include <optional>
#include <vector>

namespace headscope::ui {

struct Chip
{
    ChipSign sign = ChipSign::Cell;
    QString what;     ///< bold
    QString scope;    ///< plain
    bool off = false; ///< kept, but switched off: struck through

    friend bool operator==(const Chip&, const Chip&) = default;
};

/// Pills side by side, each with an eye that switches it off and on and an x that takes it away.
/// Those without room stand in a "+3" at the end, which shows the next ones. One tab stop: arrows
/// move, Space switches, Delete takes away, Enter opens.
class ChipRow : public QWidget
{
    Q_OBJECT

public:
    explicit ChipRow(QWidget* parent = nullptr);

    void setChips(std::vector<Chip> chips);

    const std::vector<Chip>& chips() const { return m_chips; }

    int current() const { return m_current; } ///< -1 without chips

    int hiddenCount() const; ///< chips that stand in "+3"

    std::optional<QRectF> chipRect(int index) const; ///< none for a hidden one
    std::optional<QRectF> crossRect(int index) const;
    std::optional<QRectF> eyeRect(int index) const;
    QRectF moreRect() const; ///< of "+3"; null without hidden chips

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void removeWanted(int index);
    void toggleWanted(int index);
    void opened(int index); ///< Enter or a double click

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    double widthOf(const Chip& chip) const;
    int visibleFrom(int first, double room) const; ///< how many fit
    void place();
    void moveTo(int index);
    void describe();
    QString words(int index) const;
    ReadableTable readable() const;
    void paintChip(QPainter& painter, const Theme& theme, int index) const;
    std::optional<int> chipAt(QPointF position) const;

    std::vector<Chip> m_chips;
    std::vector<QRectF> m_places; ///< of the chips [m_first, m_first + size)
    QRectF m_more;
    int m_first = 0;
    int m_current = -1;
};

} // namespace headscope::ui
