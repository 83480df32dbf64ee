#pragma once

#include "core/io/installed_models.h"
#include "ui/workers/tasks/return_path.h"
#include "ui/workers/tasks/task_thread.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui {

/// A recipe, and where its model is when somebody has followed it.
struct FoundRecipe
{
    ModelRecipe recipe;
    std::optional<std::filesystem::path> path;
};

/// What models there are on this machine, and what else a person can get.
struct ModelShelf
{
    ModelPlaces places; ///< that were looked at
    std::vector<InstalledModel> installed;
    std::vector<FoundRecipe> recipes;
};

ModelShelf lookForModels(const ModelPlaces& places);

/// Looks through this machine's usual places on a thread of its own, which begins with the first
/// look.
class ModelSearch : public QObject
{
    Q_OBJECT

public:
    explicit ModelSearch(QObject* parent = nullptr);
    ~ModelSearch() override;

    void look(); ///< a look that is under way is enough

    bool isLooking() const { return m_isLooking; }

    const std::optional<ModelShelf>& shelf() const { return m_shelf; } ///< of the last look

signals:
    void started();
    void finished();

private:
    bool m_isLooking = false;
    std::optional<ModelShelf> m_shelf;
    ReturnPath m_home;
    std::unique_ptr<TaskThread> m_thread; // last: its tasks use the others
};

} // namespace headscope::ui
