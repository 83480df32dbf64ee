#pragma once

#include "ui/pages/architecture/architecture_layout.h"
#include "ui/widgets/drawn_widget.h"

#include <optional>

namespace headscope::ui {

/// Architecture diagram widget: a single tab stop; arrow keys move between boxes.
class ArchitectureWidget : public DrawnWidget
{
    Q_OBJECT

public:
    explicit ArchitectureWidget(QWidget* parent = nullptr);

    void setContent(ArchitectureContent content); ///< Keeps the cursor.

    const ArchitectureContent& content() const { return m_content; }

    ArchitectureLayout layoutNow() const;
    void setCurrent(std::optional<int> box);

signals:
    void boxOpened(int box); ///< Emitted on click or Enter.
    void boxMoved(int box);  ///< Emitted when the keyboard cursor moves.

protected:
    int itemCount() const override { return static_cast<int>(m_content.parts.boxes.size()); }

    QRectF itemRect(int item) const override { return layoutNow().boxRect(item); }

    QString itemText(int item) const override;
    std::optional<int> itemAt(QPointF position) const override;
    std::optional<int> itemAfter(int key) const override;
    void goToItem(int item) override;
    void clickItem(int item) override;
    bool openItem(int item) override;
    void hoverChanged() override;
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    const ArchitectureBox& box(int item) const;
    void fitHeight();

    ArchitectureContent m_content;
};

} // namespace headscope::ui
