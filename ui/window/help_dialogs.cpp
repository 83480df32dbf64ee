#include "ui/window/help_dialogs.h"

#include "ui/widgets/labels.h"

#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QMessageBox>
#include <QVBoxLayout>

namespace headscope::ui {

namespace {

QString withoutMnemonic(QString text)
{
    return text.remove(QLatin1Char('&'));
}

void addRow(QGridLayout& grid, const QString& what, const QString& keys)
{
    const int row = grid.rowCount();
    grid.addWidget(new TextLabel(what, TextRole::Body), row, 0);
    grid.addWidget(new TextLabel(keys, TextRole::Body, TextLabel::Tone::Text2), row, 1);
}

} // namespace

void showShortcuts(const QList<QAction*>& actions, QWidget* parent)
{
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QDialog::tr("Keyboard shortcuts"));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(32);
    for (const QAction* action : actions) {
        if (!action->shortcut().isEmpty())
            addRow(*grid, withoutMnemonic(action->text()),
                   action->shortcut().toString(QKeySequence::NativeText));
    }
    addRow(*grid, QDialog::tr("Move the cell, in a map"), QDialog::tr("arrows"));
    addRow(*grid, QDialog::tr("Choose query and key, in the tokens"),
           QDialog::tr("arrows, Shift+arrows"));
    addRow(*grid, QDialog::tr("Leave the sentence"), QDialog::tr("Esc"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* column = new QVBoxLayout(dialog);
    column->setContentsMargins(24, 24, 24, 24);
    column->addLayout(grid);
    column->addSpacing(16);
    column->addWidget(buttons);
    dialog->show();
}

void showAbout(QWidget* parent)
{
    auto* box = new QMessageBox(parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setModal(false);
    box->setWindowTitle(QMessageBox::tr("About Headscope"));
    box->setText(QMessageBox::tr("Headscope %1").arg(QApplication::applicationVersion()));
    box->setInformativeText(QMessageBox::tr(
        "Type a sentence and watch attention happen.\n\nFree software under the GNU "
        "General Public License, version 3 or later. It comes without warranty."));
    box->setStandardButtons(QMessageBox::Close);
    box->show();
}

} // namespace headscope::ui
