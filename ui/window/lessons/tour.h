#pragma once

#include <QFrame>

#include <functional>
#include <vector>

class QPushButton;

namespace headscope::ui {

class MainWindow;
class TextLabel;

/// Guided tour: five callouts beside the real widgets, shown one at a time. The window stays
/// usable; Esc or Skip ends the tour.
class Tour : public QFrame
{
    Q_OBJECT

public:
    explicit Tour(MainWindow& window);

    void start();
    void end();

    bool isRunning() const { return m_step >= 0; }

    int step() const { return m_step; }

    int stepCount() const { return static_cast<int>(m_steps.size()); }

    QWidget* target() const; ///< Widget that the current callout points to; null after the tour.

signals:
    void ended();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    struct Step
    {
        QString title;
        QString text;
        std::function<QWidget*()> target;
    };

    void makeSteps(MainWindow& window);
    void makeWidgets();
    void show(int step);
    void place();

    std::vector<Step> m_steps;
    int m_step = -1;
    QPoint m_tip; ///< Tip of the arrow in callout coordinates.
    TextLabel* m_count;
    TextLabel* m_title;
    TextLabel* m_text;
    QPushButton* m_skip;
    QPushButton* m_back;
    QPushButton* m_next;
};

} // namespace headscope::ui
