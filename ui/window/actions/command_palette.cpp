#include "ui/window/actions/command_palette.h"

#include "ui/pages/shared/boxes.h"
#include "ui/widgets/labels.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kWidth = 640;
constexpr int kHeight = 380;
constexpr int kTop = 72;
constexpr int kRow = 32;
constexpr int kPadding = 8;
constexpr std::size_t kMostShown = 1000; ///< Lines; a long text has thousands of tokens.

enum PaletteRole { EntryRole = Qt::UserRole, NameRole, DetailRole, AboutRole };

/// Paints an entry with its text on the left and its shortcut on the right.
class LineDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        return {10, qRound(kRow * Theme::of(*option.widget).scale())};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const Theme theme = Theme::of(*option.widget);
        const bool chosen = option.state & QStyle::State_Selected;
        const QRectF row = option.rect;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(chosen                                   ? theme.soft
                          : option.state & QStyle::State_MouseOver ? theme.hover
                                                                   : theme.surface);
        painter->drawRoundedRect(row, 4, 4);
        const QRectF line = row.adjusted(kPadding, 0, -kPadding, 0);
        const QString detail = index.data(DetailRole).toString();
        painter->setFont(theme.font(TextRole::Caption));
        painter->setPen(theme.text3);
        painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, detail);
        const double taken = QFontMetricsF(painter->font()).horizontalAdvance(detail);
        painter->setFont(theme.font(TextRole::Body));
        painter->setPen(chosen ? theme.accent : theme.text);
        const QRectF room = line.adjusted(0, 0, -taken - 2 * kPadding, 0);
        const double end = drawElided(*painter, room, index.data(NameRole).toString());
        painter->setFont(theme.font(TextRole::Caption));
        painter->setPen(theme.text2);
        drawElided(*painter, room.adjusted(end + 2 * kPadding, 0, 0, 0),
                   index.data(AboutRole).toString());
        painter->restore();
    }

private:
    /// Returns the width of what it has drawn.
    static double drawElided(QPainter& painter, const QRectF& room, const QString& text)
    {
        const QFontMetricsF metrics(painter.font());
        const QString shown = metrics.elidedText(text, Qt::ElideRight, std::max(room.width(), 0.0));
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, shown);
        return metrics.horizontalAdvance(shown);
    }
};

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

namespace {

/// True for "head 2.4": one word matches the whole detail, all others match the text.
bool isMeant(const PaletteEntry& entry, const QString& wanted)
{
    QStringList words = wanted.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const auto detail = std::find_if(words.begin(), words.end(), [&entry](const QString& word) {
        return word.compare(entry.detail, Qt::CaseInsensitive) == 0;
    });
    if (detail != words.end())
        words.erase(detail);
    const QString all = QStringList{entry.text, entry.about, entry.terms}.join(QLatin1Char(' '));
    return matchesWords(all, words.join(QLatin1Char(' ')));
}

} // namespace

CommandPalette::CommandPalette(QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_field(new QLineEdit(this))
    , m_list(new QListWidget(this))
    , m_note(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text2, this))
{
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Go to anything"));
    m_field->setPlaceholderText(
        tr("Page, command, setting, lesson, token, or \u201Clayer 1 head 3\u201D"));
    m_field->setAccessibleName(tr("Go to anything"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setAccessibleName(tr("Matches"));
    auto* column = columnOf(kPadding, {m_field, {m_note, 0, Qt::AlignHCenter}, {m_list, 1}}, this);
    column->setContentsMargins(kPadding, kPadding, kPadding, kPadding);
    m_list->setItemDelegate(new LineDelegate(m_list));
    m_list->setMouseTracking(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
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

void CommandPalette::narrow(const QString& text)
{
    m_list->clear();
    std::vector<std::size_t> matches;
    for (std::size_t index = 0; index < m_entries.size(); ++index) {
        if (isMeant(m_entries[index], text))
            matches.push_back(index);
    }
    std::stable_partition(matches.begin(), matches.end(), [&](std::size_t index) {
        return m_entries[index].text.contains(text.trimmed(), Qt::CaseInsensitive);
    });
    const std::size_t shown = std::min(matches.size(), kMostShown);
    const std::size_t hidden = matches.size() - shown;
    matches.resize(shown);
    for (const std::size_t index : matches) {
        const PaletteEntry& entry = m_entries[index];
        const QString line =
            entry.detail.isEmpty() ? entry.text : tr("%1   %2").arg(entry.text, entry.detail);
        auto* item = new QListWidgetItem(line, m_list);
        item->setData(EntryRole, static_cast<int>(index));
        item->setData(NameRole, entry.text);
        item->setData(DetailRole, entry.detail);
        item->setData(AboutRole, entry.about);
        item->setData(Qt::AccessibleDescriptionRole, entry.about);
    }
    m_list->setCurrentRow(0);
    m_note->setText(hidden > 0 ? tr("%1 more: type more letters").arg(hidden) : tr("No match"));
    m_note->setVisible(hidden > 0 || matches.empty());
}

void CommandPalette::runCurrent()
{
    const QListWidgetItem* item = m_list->currentItem();
    hide();
    if (item)
        m_entries[item->data(EntryRole).toUInt()].run();
}

void CommandPalette::move(int rows)
{
    const int row = std::clamp(m_list->currentRow() + rows, 0, m_list->count() - 1);
    m_list->setCurrentRow(row);
}

void CommandPalette::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.setPen(theme.line2);
    painter.setBrush(theme.surface);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
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
