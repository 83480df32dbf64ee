#include "ui/window/dialogs/help_dialogs.h"

#include "ui/pages/shared/boxes.h"
#include "ui/widgets/labels.h"

#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>

#include <vector>

namespace headscope::ui {

namespace {

struct ShortcutRow
{
    QString what;
    QString keys;
};

std::vector<ShortcutRow> shortcutRows(const QList<QAction*>& actions)
{
    std::vector<ShortcutRow> rows;
    for (const QAction* action : actions) {
        const QString keys =
            QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText);
        if (!keys.isEmpty())
            rows.push_back({withoutMnemonic(action->text()), keys});
    }
    const QString arrows = QDialog::tr("arrows");
    const QString both = QDialog::tr("arrows, Shift+arrows");
    rows.push_back({QDialog::tr("Move the cell in a map"), arrows});
    rows.push_back({QDialog::tr("Choose query and key in the tokens"), both});
    rows.push_back({QDialog::tr("Leave the sentence, unpin"), QDialog::tr("Esc")});
    return rows;
}

/// Arranges shortcuts and descriptions in two columns, so that all fit a small screen.
QGridLayout* gridOf(const std::vector<ShortcutRow>& rows)
{
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(4);
    grid->setColumnMinimumWidth(2, 24);
    const std::size_t half = (rows.size() + 1) / 2;
    for (std::size_t index = 0; index < rows.size(); ++index) {
        const int row = static_cast<int>(index % half);
        const int column = index < half ? 0 : 3;
        grid->addWidget(new TextLabel(rows[index].what, TextRole::Body), row, column);
        grid->addWidget(new TextLabel(rows[index].keys, TextRole::Body, TextLabel::Tone::Text2),
                        row, column + 1);
    }
    return grid;
}

} // namespace

QString withoutMnemonic(QString text)
{
    // mnemonics as Chinese menus append them
    static const QRegularExpression kAppended("\\(&.\\)");
    return text.remove(kAppended).remove(QLatin1Char('&'));
}

void showShortcuts(const QList<QAction*>& actions, QWidget* parent)
{
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QDialog::tr("Keyboard shortcuts"));
    dialog->setObjectName("shortcuts");
    auto* buttons = new QDialogButtonBox;
    buttons->addButton(QDialog::tr("Close"), QDialogButtonBox::RejectRole);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    columnOf(kStyleSpacing, {gridOf(shortcutRows(actions)), Placed::gap(16), buttons}, dialog)
        ->setContentsMargins(24, 24, 24, 24);
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
        "Type a sentence and watch transformer attention live.\n\nFree software under the GNU "
        "General Public License, version 3 or later. It comes without warranty."));
    box->addButton(QMessageBox::tr("Close"), QMessageBox::RejectRole);
    box->show();
}

} // namespace headscope::ui
