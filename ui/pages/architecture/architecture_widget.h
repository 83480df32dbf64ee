#pragma once

#include "ui/pages/architecture/architecture_layout.h"

#include <QWidget>

#include <optional>

namespace headscope::ui {

/// The diagram: one tab stop, arrows go from box to box.
class ArchitectureWidget : public QWidget
{
    Q_OBJECT

public:
    explicit ArchitectureWidget(QWidget* parent = nullptr);

    void setContent(ArchitectureContent content); ///< the cursor stays where it was

    const ArchitectureContent& content() const { return m_content; }

    ArchitectureLayout layoutNow() const;
    void setCurrent(std::optional<int> box);

signals:
    void boxOpened(int box); ///< click or Enter
    void boxMoved(int box);  ///< the keyboard's cursor

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void fitHeight();

    ArchitectureContent m_content;
};

} // namespace headscope::ui
