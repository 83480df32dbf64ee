#include "ui/pages/what_if/offers_button.h"

#include "ui/pages/what_if/what_if_offers.h"

#include <QMenu>

#include <utility>

namespace headscope::ui {

OffersButton::OffersButton(WhatIfOffers& offers, QWidget* parent) : QToolButton(parent)
{
    setProperty("role", "offer");
    setText(tr("+  Add change"));
    setPopupMode(InstantPopup);
    setFocusPolicy(Qt::StrongFocus);
    auto* menu = new QMenu(this);
    const std::pair<QMenu*, QString> submenus[] = {{&offers.headMenu(), tr("Ablate head")},
                                                   {&offers.positionsMenu(), tr("Positions")},
                                                   {&offers.rowMenu(), tr("Edit the row")},
                                                   {&offers.freezeMenu(), tr("Freeze patterns")}};
    for (const auto& [submenu, title] : submenus) {
        submenu->setTitle(title);
        menu->addMenu(submenu);
    }
    connect(menu->addAction(tr("Edit a weight")), &QAction::triggered, &offers,
            &WhatIfOffers::weightWanted);
    connect(menu->addAction(tr("Swap a token")), &QAction::triggered, &offers,
            &WhatIfOffers::tokenWanted);
    setMenu(menu);
}

} // namespace headscope::ui
