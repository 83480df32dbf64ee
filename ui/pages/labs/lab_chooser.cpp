#include "ui/pages/labs/lab_chooser.h"

#include "core/base/content_catalogue.h"
#include "ui/pages/shared/boxes.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/tr.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QToolButton>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kWidth = 420;
constexpr int kHeight = 460;
constexpr int kRow = 32;
constexpr int kPadding = 8;

enum ListRole { NameRole = Qt::UserRole, QuestionRole };

bool isLab(const QListWidgetItem* item)
{
    return item != nullptr && item->data(NameRole).isValid();
}

/// True when every typed word occurs in the lab's title, name or question.
bool matches(const Lab& lab, const QString& typed)
{
    const QString text = QString::fromStdString(lab.title + ' ' + lab.name + ' ' + lab.question);
    return std::ranges::all_of(
        typed.split(QLatin1Char(' '), Qt::SkipEmptyParts),
        [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

/// Group names in text2, with labs indented below them.
class ListDelegate : public QStyledItemDelegate
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
        const bool isGroup = !index.data(NameRole).isValid();
        const bool isChosen = !isGroup && (option.state & QStyle::State_Selected);
        painter->save();
        if (isChosen) {
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(Qt::NoPen);
            painter->setBrush(theme.soft);
            painter->drawRoundedRect(QRectF(option.rect), 4, 4);
        }
        painter->setFont(isGroup || isChosen ? theme.bold(TextRole::Body)
                                             : theme.font(TextRole::Body));
        painter->setPen(isChosen ? theme.accent : isGroup ? theme.text2 : theme.text);
        const QRectF room = QRectF(option.rect).adjusted(isGroup ? 8 : 20, 0, -8, 0);
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetricsF(painter->font())
                              .elidedText(index.data().toString(), Qt::ElideRight, room.width()));
        painter->restore();
    }
};

QToolButton* stepButton(const QString& text, const QString& name, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setProperty("role", "button");
    button->setText(text);
    button->setToolTip(name);
    button->setAccessibleName(name);
    return button;
}

std::vector<LabGroup> makeGroups()
{
    const std::pair<QString, LabSubject> subjects[] = {{tr("Text"), LabSubject::Text},
                                                       {tr("Order"), LabSubject::Order},
                                                       {tr("Attention"), LabSubject::Attention},
                                                       {tr("Masks"), LabSubject::Masks},
                                                       {tr("Inside a block"), LabSubject::Blocks},
                                                       {tr("Whole models"), LabSubject::Models},
                                                       {tr("Training"), LabSubject::Training},
                                                       {tr("Decoding"), LabSubject::Decoding},
                                                       {tr("What heads learn"), LabSubject::Heads}};
    std::vector<LabGroup> groups;
    for (const auto& [title, subject] : subjects) {
        LabGroup group{title, {}};
        for (const Lab& lab : labsOf(subject))
            group.labs.push_back(&lab);
        if (!group.labs.empty())
            groups.push_back(std::move(group));
    }
    return groups;
}

} // namespace

const std::vector<LabGroup>& labGroups()
{
    static ContentCatalogue<std::vector<LabGroup>> groups;
    return groups.entries(makeGroups);
}

// ------------------------------------------------------------------------------------ the list

LabList::LabList(QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_field(new QLineEdit(this))
    , m_list(new QListWidget(this))
{
    setAccessibleName(tr("Labs"));
    m_field->setPlaceholderText(tr("Type to find a lab"));
    m_field->setAccessibleName(tr("Find a lab"));
    m_field->installEventFilter(this);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setAccessibleName(tr("Labs that match"));
    m_list->setItemDelegate(new ListDelegate(m_list));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* column = columnOf(kPadding, {m_field, {m_list, 1}}, this);
    column->setContentsMargins(kPadding, kPadding, kPadding, kPadding);
    connect(m_field, &QLineEdit::textChanged, this, &LabList::fill);
    connect(m_list, &QListWidget::itemClicked, this, &LabList::accept);
}

void LabList::open(const QString& current)
{
    m_field->clear();
    fill();
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->data(NameRole).toString() == current)
            m_list->setCurrentRow(row);
    m_list->scrollToItem(m_list->currentItem(), QAbstractItemView::PositionAtCenter);
    const double scale = Theme::of(*this).scale();
    resize(qRound(kWidth * scale), qRound(kHeight * scale));
    const QWidget* below = parentWidget();
    const QPoint corner = below->mapToGlobal(QPoint(below->width() - width(), below->height() + 4));
    move(std::max(corner.x(), 0), corner.y());
    show();
    m_field->setFocus();
}

void LabList::fill()
{
    m_list->clear();
    for (const LabGroup& group : labGroups()) {
        bool isNamed = false;
        for (const Lab* lab : group.labs) {
            if (!matches(*lab, m_field->text()))
                continue;
            if (!isNamed) {
                auto* title = new QListWidgetItem(group.title, m_list);
                title->setFlags(Qt::NoItemFlags);
                isNamed = true;
            }
            auto* item = new QListWidgetItem(QString::fromStdString(lab->title), m_list);
            item->setData(NameRole, QString::fromStdString(lab->name));
            item->setToolTip(QString::fromStdString(lab->question));
        }
    }
    m_list->setCurrentRow(m_list->count() > 1 ? 1 : -1);
    if (m_list->count() == 0) {
        auto* nothing = new QListWidgetItem(tr("No matching labs"), m_list);
        nothing->setFlags(Qt::NoItemFlags);
    }
}

/// Row of a group name.
void LabList::step(int by)
{
    int row = m_list->currentRow() + by;
    while (row >= 0 && row < m_list->count() && !isLab(m_list->item(row)))
        row += by;
    if (row >= 0 && row < m_list->count())
        m_list->setCurrentRow(row);
}

void LabList::accept()
{
    if (!isLab(m_list->currentItem()))
        return;
    const QString name = m_list->currentItem()->data(NameRole).toString();
    hide();
    emit chosen(name);
}

bool LabList::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Up:
        step(-1);
        return true;
    case Qt::Key_Down:
        step(1);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        accept();
        return true;
    case Qt::Key_Escape:
        hide();
        return true;
    default:
        return QFrame::eventFilter(watched, event);
    }
}

// --------------------------------------------------------------------------------- the button

LabChooser::LabChooser(QWidget* parent)
    : QWidget(parent)
    , m_before(stepButton(QStringLiteral("\u2039"), tr("Previous lab"), this))
    , m_button(new QPushButton(this))
    , m_after(stepButton(QStringLiteral("\u203A"), tr("Next lab"), this))
    , m_list(new LabList(this))
{
    rowOf(8, {m_before, {m_button, 1}, m_after}, this);
    connect(m_before, &QToolButton::clicked, this, [this] { step(-1); });
    connect(m_after, &QToolButton::clicked, this, [this] { step(1); });
    connect(m_button, &QPushButton::clicked, this, [this] { m_list->open(m_current); });
    connect(m_list, &LabList::chosen, this, &LabChooser::chosen);
}

int LabChooser::place() const
{
    const auto labs = labCatalogue();
    for (std::size_t index = 0; index < labs.size(); ++index)
        if (labs[index].name == m_current.toStdString())
            return static_cast<int>(index);
    return -1;
}

void LabChooser::setCurrent(const QString& name)
{
    m_current = name;
    const auto labs = static_cast<int>(labCatalogue().size());
    const int here = place();
    m_button->setText(here < 0 ? tr("All labs \u25BE")
                               : tr("Lab %1 of %2 \u25BE").arg(here + 1).arg(labs));
    m_button->setAccessibleName(tr("Choose a lab"));
    m_button->setToolTip(tr("All labs, with search"));
    m_before->setEnabled(here > 0);
    m_after->setEnabled(here + 1 < labs);
}

void LabChooser::step(int by)
{
    const auto labs = labCatalogue();
    const int next = place() + by;
    if (next >= 0 && next < static_cast<int>(labs.size()))
        emit chosen(QString::fromStdString(labs[static_cast<std::size_t>(next)].name));
}

} // namespace headscope::ui
