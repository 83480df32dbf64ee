#pragma once

#include <QHash>
#include <QObject>
#include <QSettings>
#include <QVariant>

#include <memory>

namespace headscope::ui {

/// What is remembered between two runs. Names on disk and defaults stand in settings.cpp.
enum class Setting {
    Sentence,
    Model,
    Device,
    Theme,     ///< "system", "light", "dark"
    ColourMap, ///< displayName(MapName)
    Page,      ///< name of the page in front, or of its mode
    RecentFiles,
    WindowGeometry,
    WindowState,
    Motion,      ///< "system", "reduced", "full"
    Scale,       ///< of one head's colours: "absolute", "head", "row", "log" or "percentile"
    Language,    ///< "system", "en", "zh_CN"; takes effect at the next start
    TourSeen,    ///< the guided tour was shown once
    RunFolders,  ///< of runs, besides our own
    Lessons,     ///< LessonProgress as JSON
    OwnLesson,   ///< the lesson that the person writes, as JSON, with what is not saved yet
    ExplorePage, ///< the page that each workspace was left at, or its mode
    LearnPage,
    TrainPage,
};

/// Remembered values. Setters compare, store and emit.
class Settings : public QObject
{
    Q_OBJECT

public:
    enum class Storage { Person, Memory };

    explicit Settings(Storage storage, QObject* parent = nullptr);
    explicit Settings(const QString& path, QObject* parent = nullptr); ///< an .ini file, for tests

    QVariant value(Setting setting) const;

    QString text(Setting setting) const { return value(setting).toString(); }

    void set(Setting setting, const QVariant& value);
    void addRecentFile(const QString& path); ///< newest first, ten at most

signals:
    void changed(headscope::ui::Setting setting);

private:
    std::unique_ptr<QSettings> m_store; // null: nothing is remembered
    QHash<int, QVariant> m_values;      // what was set in this run
};

} // namespace headscope::ui
