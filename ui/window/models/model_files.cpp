#include "ui/window/models/model_files.h"

#include "core/io/open_model.h"
#include "ui/widgets/tr.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

#include <filesystem>

namespace headscope::ui {

namespace {

bool isModelFolder(const QString& path)
{
    return isHuggingFaceFolder(std::filesystem::path(path.toStdString()));
}

QStringList ggufFilesIn(const QString& folder)
{
    return QDir(folder).entryList({QStringLiteral("*.gguf")}, QDir::Files, QDir::Name);
}

QString modelIn(const QString& folder)
{
    if (isModelFolder(folder) || QFileInfo(folder, QStringLiteral("checkpoints")).isDir())
        return folder;
    const QStringList files = ggufFilesIn(folder);
    return files.size() == 1 ? QDir(folder).filePath(files.front()) : QString();
}

QFileDialog* modelDialog(QWidget* parent, const QString& title, const QString& name)
{
    auto* dialog = new QFileDialog(parent, title);
    dialog->setObjectName(name);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    const QString models = QDir::home().filePath(QStringLiteral("models"));
    if (QFileInfo(models).isDir())
        dialog->setDirectory(models);
    return dialog;
}

} // namespace

QString modelAt(const QString& path)
{
    const QFileInfo file(path);
    if (file.isDir())
        return modelIn(QDir::cleanPath(path));
    const QString suffix = file.suffix().toLower();
    if (suffix == QLatin1String("safetensors"))
        return file.fileName().startsWith(QLatin1String("model")) && isModelFolder(file.path())
                   ? file.path()
                   : path;
    const bool isGguf =
        suffix == QLatin1String("gguf") || isGgufFile(std::filesystem::path(path.toStdString()));
    return isGguf ? path : QString();
}

QString noModelSentence(const QString& folder)
{
    if (ggufFilesIn(folder).size() > 1)
        return tr("%1 contains several GGUF files. Open one of them.").arg(folder);
    return tr("%1 is neither a model nor a training run. A model is a .gguf file, or a folder with "
              "config.json and model.safetensors.")
        .arg(folder);
}

QFileDialog* modelFileDialog(QWidget* parent)
{
    QFileDialog* dialog =
        modelDialog(parent, tr("Open a model file"), QStringLiteral("openModelFile"));
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Models (*.gguf *.safetensors)"), tr("All files (*)")});
    return dialog;
}

QFileDialog* modelFolderDialog(QWidget* parent)
{
    QFileDialog* dialog =
        modelDialog(parent, tr("Open a model folder"), QStringLiteral("openModelFolder"));
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    return dialog;
}

} // namespace headscope::ui
