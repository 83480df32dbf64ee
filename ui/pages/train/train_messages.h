#pragma once

#include <QObject>
#include <QString>

namespace headscope::ui {

class MessageBar;
class TrainFilm;
class Training;

/// Message bar at the top of the page for a run and its film: the most urgent message, with a
/// button for its action.
class TrainMessages : public QObject
{
    Q_OBJECT

public:
    TrainMessages(MessageBar& bar, Training& training, TrainFilm& film);

    void refresh();

    void forgetError() { m_error.clear(); }

signals:
    void changed(); ///< Emitted when the message changes.

private:
    void showProgress(const QString& sentence);
    void showDivergence();
    void press();

    MessageBar& m_bar;
    Training& m_training;
    TrainFilm& m_film;
    QString m_error; ///< The newest error or note, until it is dismissed.
    bool m_isError = true;
    QString m_dismissed; ///< Message of a run that was dismissed.
    int m_filmDone = 0;
};

} // namespace headscope::ui
