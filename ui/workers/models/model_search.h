#pragma once

#include "core/io/installed_models.h"
#include "ui/workers/tasks/return_path.h"
#include "ui/workers/tasks/task_thread.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui {

/// A recipe, and the path of its model when that is installed.
struct CheckpointRecipe
{
    ModelRecipe recipe;
    std::optional<std::filesystem::path> path;
};

/// Models on this machine, and recipes for others.
struct ModelShelf
{
    ModelFolders places; ///< Folders that were searched.
    std::vector<InstalledModel> installed;
    std::vector<CheckpointRecipe> recipes;
};

ModelShelf lookForModels(const ModelFolders& places);

/// Searches the usual folders of this machine in its own thread, started by the first search.
class ModelSearch : public QObject
{
    Q_OBJECT

public:
    void look(); ///< Starts a search unless one is in progress.

    bool isReading() const { return m_isReading; }

    /// Result of the last search.
    const std::optional<ModelShelf>& shelf() const { return m_shelf; }

signals:
    void started();
    void finished();

private:
    bool m_isReading = false;
    std::optional<ModelShelf> m_shelf;
    ReturnPath m_home;
    std::unique_ptr<TaskThread> m_thread; // Declared last, as its tasks use the other members.
};

} // namespace headscope::ui
