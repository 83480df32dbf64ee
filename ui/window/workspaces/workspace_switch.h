#pragma once

#include "ui/window/workspaces/pages.h"

class QButtonGroup;

namespace headscope::ui {

/// Explore, Learn, Train: three joined rows at the head of the rail.
class WorkspaceSwitch : public QWidget
{
    Q_OBJECT

public:
    explicit WorkspaceSwitch(QWidget* parent = nullptr);

    void setCurrent(Workspace workspace); ///< emits nothing
    void setCompact(bool compact);        ///< icons only

    bool isCompact() const { return m_compact; }

signals:
    void chosen(headscope::ui::Workspace workspace); ///< Emitted when the user chooses one

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QButtonGroup* m_buttons;
    bool m_compact = false;
};

} // namespace headscope::ui
