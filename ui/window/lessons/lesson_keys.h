#pragma once

#include <QObject>
#include <QPointer>

class QKeyEvent;
class QWidget;

namespace headscope::ui {

class BlankScreen;
class LessonColumn;
class LessonRun;

/// Handles the keys of a presenter remote, or of a keyboard, while a lesson is presented.
class LessonKeys : public QObject
{
    Q_OBJECT

public:
    LessonKeys(QWidget& window, const LessonRun& run, LessonColumn& column);

    /// Ends presenting with false, which also removes the blank screen.
    void setPresenting(bool on);

signals:
    void presentingWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool takes(const QKeyEvent& event) const;
    bool use(const QKeyEvent& event);

    QWidget& m_window;
    const LessonRun& m_run;
    LessonColumn& m_column;
    QPointer<BlankScreen> m_blank;
    bool m_isPresenting = false;
};

} // namespace headscope::ui
