#include "ui/pages/what_if/change_previews.h"

namespace headscope::ui {

void ChangePreviews::measure(const ViewSnapshot& view, const std::vector<PossibleChange>& changes)
{
    const bool isSame = view.a == m_a && view.selection == m_selection && changes == m_changes;
    if (isSame && (m_isComplete || m_task.isRunning()))
        return;
    keepPreviewsOf(changes);
    m_a = view.a;
    m_selection = view.selection;
    m_isComplete = false;
    m_task.start(
        [this, view, changes](const LatestTask::Control& control) {
            for (std::size_t index = 0; index < changes.size(); ++index)
                control.tell([this, index,
                              preview = previewOf(view, changes[index].changes, control.stop())] {
                    take(index, preview);
                });
            return true;
        },
        [this](bool) {
            m_isComplete = true;
            emit measured();
        });
}

void ChangePreviews::keepPreviewsOf(const std::vector<PossibleChange>& changes)
{
    m_previews.resize(changes.size());
    for (std::size_t index = 0; index < changes.size(); ++index)
        if (index >= m_changes.size() || changes[index].title != m_changes[index].title)
            m_previews[index].reset();
    m_changes = changes;
}

void ChangePreviews::cancel()
{
    m_task.cancel();
}

void ChangePreviews::waitWith(const std::vector<PossibleChange>& changes)
{
    m_task.cancel();
    m_isComplete = m_isComplete && changes == m_changes;
    keepPreviewsOf(changes);
}

void ChangePreviews::take(std::size_t index, const ChangePreview& preview)
{
    m_previews[index] = preview;
    emit measured();
}

} // namespace headscope::ui
