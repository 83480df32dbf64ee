#pragma once

#include <QObject>
#include <QString>

namespace headscope::ui {

class MessageBar;
class TrainFilm;
class Training;

/// What the bar at the top of the page says of a run and of its film: the most urgent of it, with a
/// button for what can be done.
class TrainMessages : public QObject
{
    Q_OBJECT

public:
    TrainMessages(MessageBar& bar, Training& training, TrainFilm& film);

    void refresh();

    void forgetError() { m_error.clear(); }

signals:
    void changed(); ///< there is something else to say

private:
    void showProgress(const QString& sentence);
    void showDivergence();
    void press();

    MessageBar& m_bar;
    Training& m_training;
    TrainFilm& m_film;
    QString m_error;     ///< the newest, until it is dismissed
    QString m_dismissed; ///< what a run said and nobody needs to read again
    int m_filmDone = 0;
};

} // namespace headscope::ui
