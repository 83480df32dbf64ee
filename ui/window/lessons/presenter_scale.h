#pragma once

#include <QObject>
#include <QSize>

class QWidget;

namespace headscope::ui {

class LabStage;
class LessonRun;

/// The size of type for an audience: as large as what a step of a lesson shows leaves room for.
class PresenterScale : public QObject
{
    Q_OBJECT

public:
    static constexpr double kLargest = 1.4; ///< of all type

    PresenterScale(QWidget& window, const LessonRun& run, LabStage& lab);

    bool isOn() const { return m_isOn; }

    void setOn(bool on);
    void beginStep();
    void fitSoon(); ///< once the page has found its places

signals:
    void changed(double scale); ///< what fits the screen

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();
    void fitPage();
    void fitLab();
    void use(double scale);

    QWidget& m_window;
    const LessonRun& m_run;
    LabStage& m_lab;
    bool m_isOn = false;
    double m_scale = kLargest;
    bool m_isFitted = false; ///< to the present step's lab
    QSize m_room;            ///< of the window when presenting began
};

} // namespace headscope::ui
