#include "ui/window/command_palette.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kWidth = 520;
constexpr int kHeight = 380;
constexpr int kTop = 72;

} // namespace

bool matchesWords(const QString& text, const QString& wanted)
{
    QString rest = text;
    for (const QString& word : wanted.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const auto place = rest.indexOf(word, 0, Qt::CaseInsensitive);
        if (place < 0)
            return false;
        rest.remove(place, word.size());
    }
    return true;
}

CommandPalette::CommandPalette(QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_field(new QLineEdit(this))
    , m_list(new QListWidget(this))
{
    setFrameShape(QFrame::Box);
    setAccessibleName(tr("Go to anything"));
    m_field->setPlaceholderText(tr("Command, token, or \u201Clayer 1 head 3\u201D"));
    m_field->setAccessibleName(tr("Go to anything"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setAccessibleName(tr("Matches"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->addWidget(m_field);
    column->addWidget(m_list, 1);
    m_field->installEventFilter(this);
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::narrow);
    connect(m_field, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
}

void CommandPalette::open(std::vector<PaletteEntry> entries)
{
    m_entries = std::move(entries);
    m_field->clear();
    narrow({});
    const int width = std::min(kWidth, parentWidget()->width() - 32);
    resize(width, kHeight);
    QFrame::move(parentWidget()->mapToGlobal(QPoint((parentWidget()->width() - width) / 2, kTop)));
    show();
    m_field->setFocus();
}

QStringList CommandPalette::shownTexts() const
{
    QStringList texts;
    for (int row = 0; row < m_list->count(); ++row)
        texts << m_list->item(row)->text();
    return texts;
}

void CommandPalette::narrow(const QString& text)
{
    m_list->clear();
    std::vector<std::size_t> matches;
    for (std::size_t index = 0; index < m_entries.size(); ++index) {
        if (matchesWords(m_entries[index].text, text))
            matches.push_back(index);
    }
    std::stable_partition(matches.begin(), matches.end(), [&](std::size_t index) {
        return m_entries[index].text.contains(text.trimmed(), Qt::CaseInsensitive);
    });
    for (const std::size_t index : matches) {
        const PaletteEntry& entry = m_entries[index];
        const QString line =
            entry.detail.isEmpty() ? entry.text : tr("%1   %2").arg(entry.text, entry.detail);
        auto* item = new QListWidgetItem(line, m_list);
        item->setData(Qt::UserRole, static_cast<int>(index));
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::runCurrent()
{
    const QListWidgetItem* item = m_list->currentItem();
    hide();
    if (item)
        m_entries[item->data(Qt::UserRole).toUInt()].run();
}

void CommandPalette::move(int rows)
{
    const int row = std::clamp(m_list->currentRow() + rows, 0, m_list->count() - 1);
    m_list->setCurrentRow(row);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress && m_list->count() > 0) {
        constexpr int kPage = 8;
        switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Down:
            move(1);
            return true;
        case Qt::Key_Up:
            move(-1);
            return true;
        case Qt::Key_PageDown:
            move(kPage);
            return true;
        case Qt::Key_PageUp:
            move(-kPage);
            return true;
        default:
            break;
        }
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace headscope::ui
