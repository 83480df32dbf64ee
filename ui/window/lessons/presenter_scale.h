#pragma once

#include <QObject>
#include <QSize>

class QWidget;

namespace headscope::ui {

class LabStage;
class LessonRun;

/// Chooses the type size in presenter mode: as large as the current step fits on the screen.
class PresenterScale : public QObject
{
    Q_OBJECT

public:
    static constexpr double kLargest = 1.4; ///< Largest scale of all type.

    PresenterScale(QWidget& window, const LessonRun& run);

    void setLab(LabStage& lab); ///< Where the steps show their labs.

    bool isOn() const { return m_isOn; }

    void setOn(bool on);
    void beginStep();
    void fitSoon(); ///< Fits the type once the page has its layout.

signals:
    void changed(double scale); ///< Emitted with the scale that fits the screen.

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();
    void fitPage();
    void fitLab();
    void use(double scale);

    QWidget& m_window;
    const LessonRun& m_run;
    LabStage* m_lab = nullptr;
    bool m_isOn = false;
    double m_scale = kLargest;
    bool m_isFitted = false; ///< True once the current step's lab has been fitted.
    QSize m_room;            ///< Size of the window when presenting began.
};

} // namespace headscope::ui
