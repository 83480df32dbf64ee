#pragma once

#include "ui/widgets/drawn_widget.h"
#include "ui/widgets/heads/head_choice.h"
#include "ui/widgets/style/theme.h"

#include <QRectF>

#include <optional>

namespace headscope::ui {

/// Toggle squares of the heads: in the head's hue when shown, always with its number. Click or
/// Space toggles, double click or Enter isolates.
class HeadSquares : public DrawnWidget
{
    Q_OBJECT

public:
    explicit HeadSquares(QWidget* parent = nullptr);

    void setChoice(const HeadChoice& choice);

    const HeadChoice& choice() const { return m_choice; }

    void toggle(int head);
    void isolate(int head);

    QRectF squareRect(int head) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    bool hasHeightForWidth() const override { return true; }

    int heightForWidth(int width) const override;

signals:
    void choiceChanged(); ///< Emitted when the user changes the choice.

protected:
    int itemCount() const override { return m_choice.heads(); }

    QRectF itemRect(int head) const override { return squareRect(head); }

    QString itemText(int head) const override;
    QString itemToolTip(int head) const override;
    std::optional<int> itemAfter(int key) const override;
    void clickItem(int head) override;
    bool openItem(int head) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    int perRow(int width) const;
    void paintSquare(QPainter& painter, int head, const Theme& theme) const;

    HeadChoice m_choice;
};

} // namespace headscope::ui
