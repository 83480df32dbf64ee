#pragma once

#include "ui/pages/attribution/attribution_runs.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>

namespace headscope::ui {

class Session;

/// Decomposes a logit: computes contributions and input attributions of a session's variants on its
/// own threads. The last result is kept until a newer one is available.
class AttributionMeasurement : public QObject
{
    Q_OBJECT

public:
    explicit AttributionMeasurement(Session& session, QObject* parent = nullptr);

    const AttributionOptions& options() const { return m_options; }

    void ask(const AttributionOptions& options); ///< Measures what is new, then emits changed().

    void measure(); ///< Measures the session's current view.

    bool waitsForParts() const { return m_partsTask.isRunning(); }

    bool waitsForInputs() const { return m_inputsTask.isRunning(); }

    /// Traces from which the parts were computed.
    const ViewSnapshot& computed() const { return m_computed; }

    const OfRuns<AttributionParts>& parts() const { return m_parts; }

    const OfRuns<AttributionInputs>& inputs() const { return m_inputs; }

signals:
    void changed();
    void inputsAdvanced(double fraction);

private:
    /// Key of a measurement; equal keys have equal numbers.
    struct Key
    {
        TracePtr a, b;
        std::shared_ptr<const Model> modelA, modelB;
        Variant shown = Variant::A;
        std::optional<LogitTarget> target;
        std::optional<LogitHead> head;

        friend bool operator==(const Key&, const Key&) = default;
    };

    Key keyOf(const ViewSnapshot& view) const;
    void wantParts(const ViewSnapshot& view);
    void wantInputs(const ViewSnapshot& view);

    Session& m_session;
    AttributionOptions m_options;
    Key m_partsKey;
    Key m_inputsKey;
    ViewSnapshot m_computed;
    OfRuns<AttributionParts> m_parts;
    OfRuns<AttributionInputs> m_inputs;
    LatestTask m_partsTask;
    LatestTask m_inputsTask;
};

} // namespace headscope::ui
