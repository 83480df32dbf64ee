#include "ui/pages/shared/figures/replace_files.h"

#include "ui/widgets/tr.h"

#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

namespace headscope::ui {

namespace {

constexpr int kNamed = 8; ///< Names that fit into the question.

QStringList existingNames(const std::vector<std::filesystem::path>& files)
{
    QStringList names;
    for (const std::filesystem::path& file : files) {
        const QFileInfo info(QString::fromStdString(file.string()));
        if (info.exists())
            names << info.fileName();
    }
    return names;
}

QString listed(const QStringList& names)
{
    QString text = names.mid(0, kNamed).join(QLatin1Char('\n'));
    if (names.size() > kNamed)
        text += QLatin1Char('\n') + tr("and %1 more").arg(names.size() - kNamed);
    return text;
}

} // namespace

void replaceFiles(QWidget& parent, const std::vector<std::filesystem::path>& files,
                  std::function<void()> write)
{
    const QStringList names = existingNames(files);
    if (names.isEmpty()) {
        write();
        return;
    }
    auto* box = new QMessageBox(&parent);
    box->setObjectName("replaceFiles");
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(tr("Replace files"));
    box->setIcon(QMessageBox::Warning);
    box->setText(names.size() == 1 ? tr("This file already exists. Replace it?")
                                   : tr("These files already exist. Replace them?"));
    box->setInformativeText(listed(names));
    const QPushButton* replace = box->addButton(tr("Replace"), QMessageBox::AcceptRole);
    box->setDefaultButton(box->addButton(tr("Cancel"), QMessageBox::RejectRole));
    QObject::connect(replace, &QPushButton::clicked, &parent, std::move(write));
    box->open();
}

} // namespace headscope::ui
