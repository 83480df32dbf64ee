#include "ui/window/chat/turn_row.h"

#include "ui/pages/shared/boxes.h"
#include "ui/session/chat/chat.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/style/theme.h"
#include "ui/window/chat/turn_field.h"

#include <QToolButton>

namespace headscope::ui {

namespace {

constexpr const char* kRoles[] = {"system", "user", "assistant"};
constexpr int kRoleWidth = 116;

} // namespace

TurnRow::TurnRow(QWidget* parent)
    : QWidget(parent)
    , m_role(new ChoiceBox(this))
    , m_field(new TurnField(this))
    , m_remove(new QToolButton(this))
{
    for (const char* role : kRoles)
        m_role->addItem(roleName(role), QString::fromLatin1(role));
    m_remove->setProperty("role", "plain");
    m_remove->setText(QStringLiteral("\u00D7"));
    m_remove->setFocusPolicy(Qt::TabFocus);
    rowOf(8, {{m_role, 0, Qt::AlignTop}, {m_field, 1, Qt::AlignTop}, {m_remove, 0, Qt::AlignTop}},
          this);
    connect(m_role, &ChoiceBox::activated, this,
            [this] { emit roleChosen(m_role->currentData().toString()); });
    connect(m_field, &TurnField::edited, this, &TurnRow::edited);
    connect(m_remove, &QToolButton::clicked, this, &TurnRow::removed);
    fitHeight();
}

void TurnRow::showTurn(const ChatTurn& turn, int number, bool isOnly)
{
    setObjectName(QStringLiteral("turn%1").arg(number));
    const QString role = QString::fromStdString(turn.role);
    int index = m_role->findData(role);
    if (index < 0) { // of a session file
        m_role->addItem(role, role);
        index = m_role->count() - 1;
    }
    m_role->setCurrentIndex(index);
    m_role->setPurpose(tr("Role of turn %1").arg(number));
    m_field->showText(QString::fromStdString(turn.content));
    m_field->setAccessibleName(tr("Turn %1, %2").arg(number).arg(roleName(turn.role)));
    m_field->setPlaceholderText(tr("Type what the %1 says").arg(roleName(turn.role).toLower()));
    m_remove->setEnabled(!isOnly);
    m_remove->setAccessibleName(tr("Remove turn %1").arg(number));
    m_remove->setToolTip(isOnly ? tr("A chat has at least one turn") : tr("Remove this turn"));
}

void TurnRow::fitHeight()
{
    m_role->setFixedWidth(qRound(kRoleWidth * Theme::of(*this).scale()));
    m_field->setLeastHeight(m_role->sizeHint().height());
    m_field->fitHeight();
    for (QWidget* part : std::initializer_list<QWidget*>{m_role, m_remove}) // beside the first line
        part->setFixedHeight(m_field->oneLineHeight());
}

} // namespace headscope::ui
