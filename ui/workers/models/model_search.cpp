#include "ui/workers/models/model_search.h"

#include <utility>

namespace headscope::ui {

ModelShelf lookForModels(const ModelFolders& places)
{
    ModelShelf shelf;
    shelf.places = places;
    shelf.installed = installedModels(places);
    for (ModelRecipe& recipe : modelRecipes()) {
        auto path = findRecipe(recipe, places);
        shelf.recipes.push_back({std::move(recipe), std::move(path)});
    }
    return shelf;
}

void ModelSearch::look()
{
    if (m_isReading)
        return;
    m_isReading = true;
    if (!m_thread)
        m_thread = std::make_unique<TaskThread>();
    m_thread->run([this] {
        ModelShelf shelf;
        try {
            shelf = lookForModels(usualModelFolders());
        } catch (const std::exception&) {
            // An unreadable folder counts as empty.
        }
        m_home.send([this, shelf = std::move(shelf)]() mutable {
            m_shelf = std::move(shelf);
            m_isReading = false;
            emit finished();
        });
    });
    emit started();
}

} // namespace headscope::ui
