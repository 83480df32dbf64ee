#pragma once

#include "ui/session/session.h"

#include <QWidget>

class QMenu;
class QToolButton;

namespace headscope::ui {

/// Kinds of changes for B as dashed buttons with a plus; each opens a menu or an editor.
class WhatIfOffers : public QWidget
{
    Q_OBJECT

public:
    explicit WhatIfOffers(Session& session, QWidget* parent = nullptr);

    void refresh();

    /// Menus of heads, positions, rows and frozen patterns, filled as they open.
    QMenu& headMenu() const { return *m_headMenu; }

    QMenu& positionsMenu() const { return *m_positionsMenu; }

    QMenu& rowMenu() const { return *m_rowMenu; }

    QMenu& freezeMenu() const { return *m_freezeMenu; }

signals:
    void weightWanted();
    void tokenWanted();

private:
    QToolButton* add(const QString& text, const QString& toolTip);
    QMenu* addMenu(QToolButton* button, void (WhatIfOffers::*fill)());
    void fillHeads();
    void fillPositions();
    void fillRow();
    void fillFreeze();

    Session& m_session;
    QToolButton* m_head;
    QToolButton* m_positions;
    QToolButton* m_weight;
    QToolButton* m_row;
    QToolButton* m_token;
    QToolButton* m_freeze;
    QMenu* m_headMenu;
    QMenu* m_positionsMenu;
    QMenu* m_rowMenu;
    QMenu* m_freezeMenu;
};

} // namespace headscope::ui
