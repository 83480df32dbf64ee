#pragma once

#include <QScrollArea>

namespace headscope::ui {

/// Scrolls its content where the window is smaller than the content's minimum, so that no page
/// forces the window to grow. Where there is room, the content fills the viewport.
class PageScroll : public QScrollArea
{
    Q_OBJECT

public:
    explicit PageScroll(QWidget& content, QWidget* parent = nullptr);

    QSize minimumSizeHint() const override { return {320, 240}; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void fitContent();

    bool m_fitting = false; ///< True while the content is resized.
};

} // namespace headscope::ui
