#pragma once

#include "ui/window/lessons/tour_place.h"

#include <QFrame>

#include <QPointer>

#include <functional>
#include <vector>

class QKeyEvent;
class QPushButton;

namespace headscope::ui {

class MainWindow;
class TextLabel;

/// Guided tour: five callouts beside the real widgets, shown one at a time and never over what they
/// describe. The window stays usable, and the first step leaves the keys to the sentence; Esc or
/// Skip ends the tour.
class Tour : public QFrame
{
    Q_OBJECT

public:
    explicit Tour(MainWindow& window);

    void start();
    void end();

    bool isRunning() const { return m_step >= 0; }

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
        QString page = {};                        ///< Page that has the target; empty: any.
        std::function<QWidget*()> typedInto = {}; ///< Keeps the keys during the step.
        std::function<std::vector<QRect>()> mentioned = {}; ///< Areas to leave visible, on screen.
    };

    void makeSteps(MainWindow& window);
    void makeWidgets();
    void show(int step);
    void follow(QWidget* target);
    void giveFocus(const Step& step);
    void place();
    QRect areaOf(const QWidget& target) const;
    bool takesKey(QObject& watched, QKeyEvent& key);

    const Step& now() const { return m_steps[static_cast<std::size_t>(m_step)]; }

    MainWindow& m_window;
    std::vector<Step> m_steps;
    int m_step = -1;
    QPointer<QWidget> m_followed; ///< Target whose geometry is watched.
    TourPlace m_place;
    TextLabel* m_count; ///< "2 of 5".
    TextLabel* m_title;
    TextLabel* m_text;
    QPushButton* m_skip;
    QPushButton* m_back;
    QPushButton* m_next;
};

} // namespace headscope::ui
