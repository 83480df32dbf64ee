#include "ui/pages/what_if/what_if_offers.h"

#include "core/model/config/mask_choice.h"
#include "ui/pages/shared/changes/change_edits.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/pages/shared/position_titles.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

namespace headscope::ui {

WhatIfOffers::WhatIfOffers(Session& session, QWidget* parent) : QWidget(parent), m_session(session)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_head = add(tr("Ablate head"), tr("Replaces the active head's output by zero or its "
                                       "mean"));
    m_positions = add(tr("Positions"), tr("Uses another position encoding in B"));
    m_weight = add(tr("Edit a weight"), tr("Sets the weight of B's current cell (Enter there)"));
    m_row = add(tr("Edit the row"), tr("Makes B's current row uniform, or puts all its weight "
                                       "on one key"));
    m_token = add(tr("Swap a token"), tr("Replaces the embedding of the current query by "
                                         "another token's"));
    m_freeze = add(tr("Freeze patterns"), tr("Keeps attention patterns fixed while the text "
                                             "changes"));
    row->addStretch(1);
    m_headMenu = addMenu(m_head, &WhatIfOffers::fillHeads);
    m_positionsMenu = addMenu(m_positions, &WhatIfOffers::fillPositions);
    m_rowMenu = addMenu(m_row, &WhatIfOffers::fillRow);
    m_freezeMenu = addMenu(m_freeze, &WhatIfOffers::fillFreeze);
    connect(m_weight, &QToolButton::clicked, this, &WhatIfOffers::weightWanted);
    connect(m_token, &QToolButton::clicked, this, &WhatIfOffers::tokenWanted);
}

QToolButton* WhatIfOffers::add(const QString& text, const QString& toolTip)
{
    auto* button = new QToolButton(this);
    button->setProperty("role", "offer");
    button->setText(QStringLiteral("+  ") + text);
    button->setAccessibleName(text);
    button->setToolTip(toolTip);
    button->setFocusPolicy(Qt::StrongFocus);
    layout()->addWidget(button);
    return button;
}

QMenu* WhatIfOffers::addMenu(QToolButton* button, void (WhatIfOffers::*fill)())
{
    auto* menu = new QMenu(button);
    menu->setToolTipsVisible(true);
    button->setMenu(menu);
    button->setPopupMode(QToolButton::InstantPopup);
    connect(menu, &QMenu::aboutToShow, this, fill);
    return menu;
}

void WhatIfOffers::refresh()
{
    const ViewSnapshot view = m_session.viewSnapshot();
    const bool ready = view.a && view.modelA.model && !m_session.text().isEmpty();
    for (QToolButton* button : {m_head, m_positions, m_weight, m_row, m_token, m_freeze})
        button->setEnabled(ready);
}

void WhatIfOffers::fillHeads()
{
    const HeadId head = m_session.view().activeHead();
    const QString name = headName(head);
    m_headMenu->clear();
    m_headMenu->addAction(tr("Zero the output of head %1").arg(name), this,
                          [this, head] { m_session.document().setHeadOff(head, true); });
    m_headMenu->addAction(
        tr("Replace head %1 by its mean over the text").arg(name), this,
        [this, head] { m_session.document().setHeadOff(head, true, HeadOff::Method::Mean); });
    m_headMenu
        ->addAction(tr("Restore head %1").arg(name), this,
                    [this, head] { m_session.document().setHeadOff(head, false); })
        ->setEnabled(m_session.changes().isOff(head));
}

void WhatIfOffers::fillPositions()
{
    const ViewSnapshot view = m_session.viewSnapshot();
    m_positionsMenu->clear();
    const auto add = [&](const QString& text, const std::optional<PositionsChoice>& choice) {
        const QString name =
            choice ? tr("positions: %1").arg(QString::fromStdString(headscope::toString(*choice)))
                   : tr("positions as trained");
        auto* action = m_positionsMenu->addAction(text, this, [this, choice, name] {
            Changes changes = m_session.changes();
            changes.positions = choice;
            m_session.document().setChanges(changes, name);
        });
        action->setCheckable(true);
        action->setChecked(view.changes.positions == choice);
        return action;
    };
    add(tr("As trained"), std::nullopt);
    for (const PositionTitle& title : positionTitles()) {
        const PositionsChoice choice{title.kind};
        QAction* action = add(title.title, choice);
        const QString why = whyNot(view, choice);
        action->setEnabled(why.isEmpty());
        action->setToolTip(why);
    }
}

void WhatIfOffers::fillRow()
{
    const ViewSnapshot view = m_session.viewSnapshot();
    m_rowMenu->clear();
    if (!editedTrace(view))
        return;
    const TokenPair pair = resolve(view.selection, *editedTrace(view));
    const QString key =
        labelsOf(editedTrace(view)->keyTokens(view.selection.part), view.modelB).value(pair.key);
    const auto add = [this, pair](const QString& text, auto edit) {
        return m_rowMenu->addAction(text, this, [this, pair, edit] {
            m_session.document().setChanges(edit(m_session.viewSnapshot(), pair),
                                            tr("row %1 of head %2")
                                                .arg(pair.query)
                                                .arg(headName(m_session.view().activeHead())));
        });
    };
    add(tr("Same weight for every key"),
        [](const ViewSnapshot& now, TokenPair cell) { return withUniformRow(now, cell.query); });
    add(tr("All weight on \u201C%1\u201D, %2").arg(key).arg(pair.key), withRowOn);
    const Changes reset = withRowAsComputed(view, pair.query);
    add(tr("As computed"), [](const ViewSnapshot& now, TokenPair cell) {
        return withRowAsComputed(now, cell.query);
    })->setEnabled(reset != view.changes);
}

void WhatIfOffers::fillFreeze()
{
    m_freezeMenu->clear();
    const auto freeze = [this](bool activeOnly) {
        RunText text = m_session.document().runText();
        text.tokens.reset(); // those of B's model
        m_session.document().setChanges(
            withFreeze(m_session.viewSnapshot(), text, activeOnly),
            activeOnly ? tr("frozen head %1").arg(headName(m_session.view().activeHead()))
                       : tr("frozen patterns"));
    };
    m_freezeMenu->addAction(tr("All heads, with their patterns on this text"), this,
                            [freeze] { freeze(false); });
    m_freezeMenu->addAction(tr("Head %1 only").arg(headName(m_session.view().activeHead())), this,
                            [freeze] { freeze(true); });
    auto* thaw = m_freezeMenu->addAction(tr("As computed"), this, [this] {
        Changes changes = m_session.changes();
        changes.freezes.clear();
        m_session.document().setChanges(changes, tr("unfreeze patterns"));
    });
    thaw->setEnabled(!m_session.changes().freezes.empty());
}

} // namespace headscope::ui
