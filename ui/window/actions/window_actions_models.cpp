// What the Model menu and the model chooser offer of models.
#include "ui/window/models/model_menu.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/frame/window_texts.h"

#include <QMenu>

namespace headscope::ui {

void WindowActions::fillModels(QMenu& menu)
{
    m_modelMenu = menu.addMenu(tr("&Choose a model"));
    for (const QString& name : m_builtinModels)
        add(*m_modelMenu, name, {}, [this, name] { m_session.openModel(name); });
    m_modelMenu->addSeparator();
    QAction* end = m_modelMenu->addSeparator();
    auto* installed = new ModelMenu(*m_modelMenu, *end, m_models);
    connect(installed, &ModelMenu::modelWanted, this, &WindowActions::fileWanted);
    QAction* const models[] = {
        add(menu, tr("Open a model &file\u2026"), {}, [this] { emit modelFileWanted(); }),
        add(menu, tr("Open a model fo&lder\u2026"), {}, [this] { emit modelFolderWanted(); }),
        add(menu, tr("&Get a model\u2026"), {}, [this] { emit modelListWanted(); })};
    for (QAction* action : models)
        m_modelMenu->addAction(action);
    m_aboutModel =
        add(menu, tr("&About this model\u2026"), {}, [this] { emit modelFactsWanted(); });
    m_modelMenu->addSeparator();
    m_modelMenu->addAction(m_aboutModel);
    menu.addSeparator();
}

} // namespace headscope::ui
