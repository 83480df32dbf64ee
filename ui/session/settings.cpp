#include "ui/session/settings.h"

#include "ui/session/samples.h"

#include <QStringList>

#include <array>

namespace headscope::ui {

namespace {

struct Row
{
    Setting setting;
    const char* key;
    QVariant standard;
};

/// Table of settings. Keys start with the version of their meaning, so that values of older or
/// newer versions are ignored.
const std::array<Row, 22>& table()
{
    static const std::array<Row, 22> rows{{
        {Setting::Sentence, "v1/session/sentence", sampleSentence({})},
        {Setting::Model, "v1/session/model", QString()},
        {Setting::Device, "v1/session/device", QStringLiteral("auto")},
        {Setting::Precision, "v1/session/precision", QStringLiteral("f32")},
        {Setting::Theme, "v1/view/theme", QStringLiteral("system")},
        {Setting::ColourMap, "v1/view/colourMap", QStringLiteral("depth")},
        {Setting::Page, "v1/view/page", QStringLiteral("overview")},
        {Setting::RecentFiles, "v1/files/recent", QStringList()},
        {Setting::WindowGeometry, "v1/window/geometry", QByteArray()},
        {Setting::WindowState, "v1/window/state", QByteArray()},
        {Setting::Motion, "v1/view/motion", QStringLiteral("system")},
        {Setting::Scale, "v1/view/scale", QStringLiteral("absolute")},
        {Setting::Language, "v1/view/language", QStringLiteral("system")},
        {Setting::TourSeen, "v1/help/tourSeen", false},
        {Setting::RunFolders, "v1/train/folders", QStringList()},
        {Setting::Lessons, "v1/learn/progress", QByteArray()},
        {Setting::OwnLesson, "v1/learn/own", QByteArray()},
        {Setting::ExplorePage, "v1/view/explorePage", QStringLiteral("overview")},
        {Setting::LearnPage, "v1/view/learnPage", QStringLiteral("lessons")},
        {Setting::TrainPage, "v1/view/trainPage", QStringLiteral("train")},
        {Setting::ExportFolder, "v1/files/exportFolder", QString()},
        {Setting::ThingsTried, "v1/help/thingsTried", 0},
    }};
    return rows;
}

const Row& rowOf(Setting setting)
{
    return table()[static_cast<std::size_t>(setting)];
}

} // namespace

Settings::Settings(Storage storage)
{
    if (storage == Storage::Person)
        m_store = std::make_unique<QSettings>();
}

Settings::Settings(const QString& path)
    : m_store(std::make_unique<QSettings>(path, QSettings::IniFormat))
{
}

QVariant Settings::value(Setting setting) const
{
    const Row& row = rowOf(setting);
    const auto own = m_values.constFind(static_cast<int>(setting));
    if (own != m_values.constEnd())
        return *own;
    if (!m_store)
        return row.standard;
    QVariant stored = m_store->value(row.key, row.standard);
    // The file may have been edited by hand: values of the wrong type are ignored.
    return stored.convert(row.standard.metaType()) ? stored : row.standard;
}

void Settings::set(Setting setting, const QVariant& value)
{
    if (value == this->value(setting))
        return;
    m_values[static_cast<int>(setting)] = value;
    if (m_store)
        m_store->setValue(rowOf(setting).key, value);
    emit changed(setting);
}

void Settings::addRecentFile(const QString& path)
{
    constexpr int kMost = 10;
    QStringList files = value(Setting::RecentFiles).toStringList();
    files.removeAll(path);
    files.prepend(path);
    set(Setting::RecentFiles, files.mid(0, kMost));
}

} // namespace headscope::ui
