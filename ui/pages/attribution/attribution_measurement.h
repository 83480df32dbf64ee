#pragma once

#include "ui/pages/attribution/attribution_runs.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>

namespace headscope::ui {

class Session;

/// Which logit is taken apart, and into what: computes parts and inputs of a session's runs on
/// threads of their own. The last parts stay until newer ones are there.
class AttributionMeasurement : public QObject
{
    Q_OBJECT

public:
    explicit AttributionMeasurement(Session& session, QObject* parent = nullptr);

    const AttributionOptions& options() const { return m_options; }

    void ask(const AttributionOptions& options); ///< Measures what is new, then changed().

    void measure(); ///< What the session shows now.

    bool waitsForParts() const { return m_partsTask.isRunning(); }

    bool waitsForInputs() const { return m_inputsTask.isRunning(); }

    const Looking& computed() const { return m_computed; } ///< What the parts were made from.

    const OfRuns<AttributionParts>& parts() const { return m_parts; }

    const OfRuns<AttributionInputs>& inputs() const { return m_inputs; }

signals:
    void changed();
    void inputsAdvanced(double fraction);

private:
    /// Equal keys have equal numbers.
    struct Key
    {
        TracePtr a, b;
        std::shared_ptr<const Model> modelA, modelB;
        Variant shown = Variant::A;
        std::optional<LogitTarget> target;
        std::optional<LogitHead> head;

        friend bool operator==(const Key&, const Key&) = default;
    };

    Key keyOf(const Looking& looking) const;
    void wantParts(const Looking& looking);
    void wantInputs(const Looking& looking);

    Session& m_session;
    AttributionOptions m_options;
    Key m_partsKey;
    Key m_inputsKey;
    Looking m_computed;
    OfRuns<AttributionParts> m_parts;
    OfRuns<AttributionInputs> m_inputs;
    LatestTask m_partsTask;
    LatestTask m_inputsTask;
};

} // namespace headscope::ui
