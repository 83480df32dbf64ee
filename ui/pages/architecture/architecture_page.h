#pragma once

#include "ui/pages/architecture/architecture_plot.h"
#include "ui/pages/shared/page.h"

class QScrollArea;

namespace headscope::ui {

class EmptyState;

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

/// Data flow of the loaded model with shapes and counts; boxes lead to the page about them.
class ArchitecturePage : public Page
{
    Q_OBJECT

public:
    explicit ArchitecturePage(Session& session, QWidget* parent = nullptr);

    Figure figure() const override;
    QString hint() const override;
    bool escape() override;
    void focusMain() override;

    bool wantsInspector() const override { return false; }

protected:
    void refresh(ChangeSet changes) override;

private:
    void open(int box);

    QScrollArea* m_scroll;
    ArchitectureWidget* m_diagram;
    EmptyState* m_empty;
};

} // namespace headscope::ui
