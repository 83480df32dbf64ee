#include "ui/pages/runs/runs_filter.h"

#include "ui/pages/shared/boxes.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/labels.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>

namespace headscope::ui {

RunsFilter::RunsFilter(QWidget* parent) : QWidget(parent)
{
    auto* begin = new QPushButton(tr("&New run\u2026"), this);
    begin->setProperty("role", "primary");
    m_field = new QLineEdit(this);
    m_field->setPlaceholderText(tr("Filter: name, task, state, notes"));
    m_field->setAccessibleName(tr("Filter runs"));
    m_field->setClearButtonEnabled(true);
    m_field->setMinimumWidth(160);
    m_count = new TextLabel({}, TextRole::Body, TextLabel::Tone::Text3, this);
    m_folder = new ChoiceBox(this);
    m_folder->setPurpose(tr("Listed folders"));
    m_folder->setMinimumContentsLength(14);
    m_folder->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_openFolder = new QPushButton(tr("Open a &folder\u2026"), this);
    rowOf(12, {begin, {m_field, 1}, m_count, Placed::space(), m_folder, m_openFolder}, this);
    connectParts(begin);
}

void RunsFilter::connectParts(QPushButton* begin)
{
    connect(begin, &QPushButton::clicked, this, &RunsFilter::newRunWanted);
    connect(m_field, &QLineEdit::textChanged, this, &RunsFilter::changed);
    connect(m_openFolder, &QPushButton::clicked, this, &RunsFilter::chooseFolder);
    connect(m_folder, &QComboBox::activated, this, [this](int index) {
        const QString folder = m_folder->itemData(index).toString();
        m_field->setText(folder.isEmpty() ? QString() : folder + QLatin1Char('/'));
    });
}

void RunsFilter::setFolders(const QStringList& folders)
{
    const QSignalBlocker blocker(m_folder);
    m_folder->clear();
    m_folder->addItem(folders.size() == 1 ? tr("Default folder") : tr("All folders"));
    for (const QString& folder : folders.mid(1)) {
        m_folder->addItem(QFileInfo(folder).fileName(), folder);
        m_folder->setItemData(m_folder->count() - 1, folder, Qt::ToolTipRole);
    }
    m_folder->setToolTip(folders.join(QLatin1Char('\n')));
}

void RunsFilter::setText(const QString& text)
{
    m_field->setText(text);
}

void RunsFilter::setProgress(int done, int of)
{
    m_count->setText(tr("reading %1 of %2").arg(done).arg(of));
}

void RunsFilter::setCounts(qsizetype shown, qsizetype all)
{
    m_count->setText(shown != all ? tr("%1 of %2 runs").arg(shown).arg(all)
                     : all == 1   ? tr("1 run")
                                  : tr("%1 runs").arg(all));
}

bool RunsFilter::clear()
{
    if (m_field->text().isEmpty())
        return false;
    m_field->clear();
    return true;
}

void RunsFilter::chooseFolder()
{
    auto* dialog = new QFileDialog(this, tr("Open a folder of runs"));
    dialog->setObjectName("openRunsFolder");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, &RunsFilter::folderOpened);
    dialog->open();
}

} // namespace headscope::ui
