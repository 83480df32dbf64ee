#pragma once

#include "ui/pages/what_if/change_preview.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>

namespace headscope::ui {

/// Previews of several changes, one after another on a thread of its own.
class ChangePreviews : public QObject
{
    Q_OBJECT

public:
    explicit ChangePreviews(QObject* parent = nullptr) : QObject(parent) {}

    /// Computes the previews of these changes; a newer call cancels an older one. Does nothing when
    /// they are known or being computed.
    void measure(const ViewSnapshot& view, const std::vector<PossibleChange>& changes);
    void cancel(); ///< Stops between two layers; what is known is kept.
    /// As cancel(), for the next call of measure(): what is known of other changes is dropped.
    void waitWith(const std::vector<PossibleChange>& changes);

    /// One per change of the last call; none where it is being computed. Those of the same change on
    /// an older text remain until they are replaced.
    const std::vector<std::optional<ChangePreview>>& previews() const { return m_previews; }

    bool isMeasuring() const { return m_task.isRunning(); }

signals:
    void measured();

private:
    void take(std::size_t index, const ChangePreview& preview);

    void keepPreviewsOf(const std::vector<PossibleChange>& changes);

    TracePtr m_a;
    Selection m_selection;
    std::vector<PossibleChange> m_changes;
    std::vector<std::optional<ChangePreview>> m_previews;
    bool m_isComplete = false;
    LatestTask m_task; // Declared last, as its tasks use the other members.
};

} // namespace headscope::ui
