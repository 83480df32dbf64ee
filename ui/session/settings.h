#pragma once

#include <QHash>
#include <QObject>
#include <QSettings>
#include <QVariant>

#include <memory>

namespace headscope::ui {

/// Values remembered between sessions. Names on disk and defaults are in settings.cpp.
enum class Setting {
    Sentence,
    Model,
    Device,
    Precision, ///< nameOf(WeightPrecision).
    Theme,     ///< "system", "light", "dark"
    ColourMap, ///< displayName(MapName)
    Page,      ///< name of the page in front, or of its mode
    RecentFiles,
    WindowGeometry,
    WindowState,
    Motion,      ///< Motion: "system", "reduced" or "full".
    Scale,       ///< Colour scale of a head map: "absolute", "head", "row", "log" or "percentile".
    Language,    ///< Language: "system", "en" or "zh_CN".
    TourSeen,    ///< True once the guided tour has been shown.
    RunFolders,  ///< Folders of runs besides the default one.
    Lessons,     ///< LessonProgress as JSON.
    OwnLesson,   ///< The user's own lesson as JSON, with unsaved changes.
    ExplorePage, ///< Page, or its mode, at which each workspace was left.
    LearnPage,
    TrainPage,
    ExportFolder, ///< Folder of the last exported file.
    ThingsTried,  ///< ThingsToTry::tried().
};

/// Persistent settings. Setters compare, store and emit.
class Settings : public QObject
{
    Q_OBJECT

public:
    enum class Storage { Person, Memory };

    explicit Settings(Storage storage);
    /// Uses the given .ini file, for tests.
    explicit Settings(const QString& path);

    QVariant value(Setting setting) const;

    QString text(Setting setting) const { return value(setting).toString(); }

    void set(Setting setting, const QVariant& value);
    /// Adds a file to the front of the list of at most ten.
    void addRecentFile(const QString& path);

signals:
    void changed(headscope::ui::Setting setting);

private:
    std::unique_ptr<QSettings> m_store; // Null: nothing is stored.
    QHash<int, QVariant> m_values;      // Values set in this process.
};

} // namespace headscope::ui
