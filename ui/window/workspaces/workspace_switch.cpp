#include "ui/window/workspaces/workspace_switch.h"

#include "ui/widgets/readable.h"
#include "ui/widgets/style/theme.h"
#include "ui/window/frame/icons.h"

#include <QButtonGroup>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

namespace headscope::ui {

namespace {

constexpr int kRowHeight = 32;
constexpr int kMargin = 8; // around the three rows
constexpr double kRadius = 6.0;

const char* iconOf(Workspace workspace)
{
    switch (workspace) {
    case Workspace::Explore:
        return "<circle cx='8.75' cy='8.75' r='5.5'/><path d='M13 13l4.25 4.25'/>";
    case Workspace::Learn:
        return "<path d='M10 5.5C8 4 5.5 3.5 2.75 3.75v11.5C5.5 15 8 15.5 10 17c2-1.5 4.5-2 "
               "7.25-1.75V3.75C14.5 3.5 12 4 10 5.5zM10 5.5V17'/>";
    case Workspace::Train:
        return "<path d='M2.75 4.5v12.75h14.5M5.5 6c1.5 6 4 8 11 8.5'/><circle cx='16' cy='5.5' "
               "r='1.75' fill='@'/>";
    }
    return "";
}

class WorkspaceButton : public QToolButton
{
public:
    WorkspaceButton(Workspace workspace, const WorkspaceSwitch& parent, QWidget* owner)
        : QToolButton(owner)
        , m_workspace(workspace)
        , m_switch(parent)
    {
        setText(workspaceName(workspace));
        setCheckable(true);
        setAutoExclusive(true);
        setFocusPolicy(Qt::StrongFocus);
        setFixedHeight(kRowHeight);
        setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // the rail has the width
        setToolTip(QStringLiteral("%1 (Ctrl+%2)").arg(text()).arg(static_cast<int>(workspace) + 1));
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const Theme theme = Theme::of(*this);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF row = QRectF(rect()).adjusted(1.0, 1.0, -1.0, -1.0);
        painter.setPen(hasFocus() ? QPen(theme.accent, 2.0) : QPen(Qt::NoPen));
        painter.setBrush(isChecked() ? theme.soft : underMouse() ? theme.hover : theme.window);
        painter.drawRoundedRect(row, kRadius - 1.0, kRadius - 1.0);
        const double left = m_switch.isCompact() ? (width() - 20.0) / 2.0 : 8.0;
        painter.drawPixmap(QPointF(left, (height() - 20.0) / 2.0),
                           iconPixmap(iconOf(m_workspace), isChecked() ? theme.accent : theme.text2,
                                      20, devicePixelRatioF()));
        if (m_switch.isCompact())
            return;
        painter.setFont(isChecked() ? theme.bold(TextRole::Table) : theme.font(TextRole::Table));
        painter.setPen(isChecked() ? theme.accent : theme.text);
        painter.drawText(row.adjusted(35.0, 0.0, 0.0, 0.0), Qt::AlignVCenter, text());
    }

private:
    Workspace m_workspace;
    const WorkspaceSwitch& m_switch;
};

} // namespace

WorkspaceSwitch::WorkspaceSwitch(QWidget* parent)
    : QWidget(parent)
    , m_buttons(new QButtonGroup(this))
{
    setAccessibleName(tr("Workspaces"));
    makeReadable(*this, QAccessible::Grouping);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(kMargin, kMargin, kMargin, 0);
    rows->setSpacing(0);
    for (const Workspace workspace : kWorkspaces) {
        auto* button = new WorkspaceButton(workspace, *this, this);
        m_buttons->addButton(button, static_cast<int>(workspace));
        rows->addWidget(button);
    }
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(m_buttons, &QButtonGroup::idClicked, this,
            [this](int id) { emit chosen(static_cast<Workspace>(id)); });
}

void WorkspaceSwitch::setCurrent(Workspace workspace)
{
    m_buttons->button(static_cast<int>(workspace))->setChecked(true);
}

void WorkspaceSwitch::setCompact(bool compact)
{
    m_compact = compact;
    update();
}

void WorkspaceSwitch::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Theme::of(*this).control, 1.0));
    painter.drawRoundedRect(
        QRectF(rect()).adjusted(kMargin - 0.5, kMargin - 0.5, 0.5 - kMargin, -0.5), kRadius,
        kRadius);
}

} // namespace headscope::ui
