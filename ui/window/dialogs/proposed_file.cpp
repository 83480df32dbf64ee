#include "ui/window/dialogs/proposed_file.h"

#include "ui/session/settings.h"

#include <QDir>
#include <QFileInfo>

namespace headscope::ui {

QString exportFolder(const Settings& settings, QStandardPaths::StandardLocation standard)
{
    for (const QString& folder :
         {settings.text(Setting::ExportFolder), QStandardPaths::writableLocation(standard)})
        if (!folder.isEmpty() && QFileInfo::exists(folder))
            return folder;
    return QDir::homePath();
}

void keepExportFolder(Settings& settings, const QString& path)
{
    settings.set(Setting::ExportFolder, QFileInfo(path).absolutePath());
}

QString fileNameFor(const QString& title)
{
    QString name;
    for (const QChar letter : title.toLower()) {
        const bool plain = letter.unicode() < 128 && letter.isLetterOrNumber();
        if (plain)
            name += letter;
        else if (!name.isEmpty() && !name.endsWith(QLatin1Char('-')))
            name += QLatin1Char('-');
    }
    while (name.endsWith(QLatin1Char('-')))
        name.chop(1);
    return name.isEmpty() ? QStringLiteral("headscope") : name;
}

QString freshPath(const QString& folder, const QString& name, const QString& ending)
{
    const QDir where(folder);
    QString path = where.filePath(name + ending);
    for (int number = 2; QFileInfo::exists(path); ++number)
        path = where.filePath(QStringLiteral("%1-%2%3").arg(name).arg(number).arg(ending));
    return path;
}

} // namespace headscope::ui
