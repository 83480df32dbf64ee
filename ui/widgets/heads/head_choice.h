#pragma once

#include "ui/widgets/readable.h"
#include "ui/widgets/style/theme.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace headscope::ui {

/// Which heads of a layer are shown together. Each has a slot (a hue), the lowest free one when it
/// is switched on. Never empty while there are heads.
class HeadChoice
{
public:
    HeadChoice() = default;
    explicit HeadChoice(int heads); ///< all of them up to kAllAtOnce, else the first eight

    static constexpr int kAllAtOnce = 16;

    int heads() const { return m_heads; }

    bool isOn(int head) const { return slotOf(head) >= 0; }

    int slotOf(int head) const;     ///< -1: off
    std::vector<int> shown() const; ///< by rising number

    bool toggle(int head);  ///< false: the last one stays on
    void isolate(int head); ///< only this one; all when it is the only one already

    /// Head numbers by slot, -1 for a free slot: what a session file keeps.
    const std::vector<int>& bySlot() const { return m_slots; }

    /// Heads that do not exist are left out; nothing changes when none is left.
    void restore(const std::vector<int>& headsBySlot);

    friend bool operator==(const HeadChoice&, const HeadChoice&) = default;

private:
    void takeSlot(int head);
    void showAll();

    int m_heads = 0;
    std::vector<int> m_slots;
};

/// One square a head: its hue when it is on, and always its number. Click or Space toggles, double
/// click or Enter isolates.
class HeadSquares : public QWidget
{
    Q_OBJECT

public:
    explicit HeadSquares(QWidget* parent = nullptr);

    void setChoice(const HeadChoice& choice);

    const HeadChoice& choice() const { return m_choice; }

    void toggle(int head);
    void isolate(int head);

    QRectF squareRect(int head) const;
    std::optional<int> headAt(QPointF position) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    bool hasHeightForWidth() const override { return true; }

    int heightForWidth(int width) const override;

signals:
    void choiceChanged(); ///< by the person

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    int perRow(int width) const;
    void moveTo(int head);
    void describe();
    QString words(int head) const;
    ReadableTable readable() const;
    void paintSquare(QPainter& painter, int head, const Theme& theme) const;

    HeadChoice m_choice;
    int m_cursor = 0;
};

} // namespace headscope::ui
