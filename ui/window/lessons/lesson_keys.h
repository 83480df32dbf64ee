#pragma once

#include <QObject>
#include <QPointer>

class QKeyEvent;
class QWidget;

namespace headscope::ui {

class BlankScreen;
class LessonColumn;
class LessonRun;

/// The keys of a clicker, and of a keyboard that is used as one: while a lesson is presented.
class LessonKeys : public QObject
{
    Q_OBJECT

public:
    LessonKeys(QWidget& window, const LessonRun& run, LessonColumn& column);

    void setPresenting(bool on); ///< removes the blank screen

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
