#pragma once

#include <QObject>

class QMenu;

namespace headscope::ui {

class TrainFilm;
class Training;

/// Further actions on a run, in the menu of its bar.
class TrainMenu : public QObject
{
    Q_OBJECT

public:
    TrainMenu(QMenu& menu, Training& training, const TrainFilm& film);

    void refresh(); ///< Updates the available actions.

signals:
    void planWanted();
    void compareShown(); ///< Emitted when the shown snapshot became B.
    void filmWanted();

private:
    template<typename Handler>
    void add(const char* name, const QString& text, Handler handler);
    void addBeginnings();
    void addSnapshots();
    bool isPossible(const QString& name) const;
    static bool isTraining(const QString& name);
    void togglePin();

    QMenu& m_menu;
    Training& m_training;
    const TrainFilm& m_film;
};

} // namespace headscope::ui
