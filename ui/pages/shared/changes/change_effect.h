#pragma once

#include "core/analysis/causal/trace_change.h"
#include "ui/session/view_snapshot.h"
#include "ui/workers/tasks/latest_task.h"

namespace headscope::ui {

/// Effect of B's changes on the prediction and on the patterns.
struct ChangeEffect
{
    std::optional<NextTokenChange> next; ///< Token whose probability changes most.
    QString nextToken; ///< Its label. The session may open another model before the next effect.
    std::optional<double> lossA; ///< Mean -ln p of the text; none for encoders.
    std::optional<double> lossB;
    HeatmapMatrix moved; ///< Weight moved per row [heads, layers] of the active part; or empty.

    std::optional<GridCell> mostMoved() const; ///< None where nothing has moved.
    double movedIn(GridCell head) const;
};

/// Token whose probability differs most between A and B: after the selected query, or after the last
/// token where one of them is shorter.
std::optional<NextTokenChange> nextTokenChange(const ViewSnapshot& view);

/// Position of the effect as in nextTokenChange().
ChangeEffect effectOf(const ViewSnapshot& view);

/// Computes effects on its own thread; long texts in wide models take a while.
class EffectMeter : public QObject
{
    Q_OBJECT

public:
    explicit EffectMeter(QObject* parent = nullptr) : QObject(parent) {}

    /// Answers with measured(): at once with an empty effect where there is no B, and not at all
    /// when already measured.
    void measure(const ViewSnapshot& view);

    const ChangeEffect& effect() const { return m_effect; }

    bool isMeasuring() const { return m_task.isRunning(); }

signals:
    void measured();

private:
    struct Subject
    {
        TracePtr a;
        TracePtr b;
        AttentionKind part = AttentionKind::Self;
        int query = -1;
        friend bool operator==(const Subject&, const Subject&) = default;
    };

    void take(const ChangeEffect& effect);

    Subject m_subject;
    ChangeEffect m_effect;
    LatestTask m_task;
};

} // namespace headscope::ui
