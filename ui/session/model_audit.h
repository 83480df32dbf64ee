#pragma once

#include "core/io/load_audit.h"
#include "core/model/pass/tracer.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>

#include <functional>
#include <memory>

namespace headscope::ui {

using LoadAuditPtr = std::shared_ptr<const LoadAudit>;

/// What rounding changes in a model's logits.
struct MeasuredErrors
{
    std::optional<LogitsError> products;
    std::optional<LogitsError> precision;
};

/// Load audit of the open model: the findings from opening it, completed by checks on its first
/// trace. Without findings, and after every training step, parameters are audited on request. Both
/// run in a background thread.
class ModelAudit : public QObject
{
    Q_OBJECT

public:
    /// Sets the model without emitting a signal. Null: no audit yet.
    void adopt(const LoadedModel& model, LoadAuditPtr audit);
    /// Replaces the model by the same one with weights of another precision, without a signal.
    void adoptPrecision(const LoadedModel& model);
    /// Checks the first trace of the adopted model that is long enough.
    void check(const TracePtr& trace);
    /// Requests the audit, with what integer products and rounded weights change; ends with changed() unless it is
    /// available.
    void want();

    const LoadAuditPtr& audit() const { return m_audit; }

signals:
    void changed();

private:
    void work(std::function<LoadAuditPtr()> job);
    void measure();
    void take(LoadAuditPtr audit);

    LoadedModel m_model;
    LoadAuditPtr m_audit;
    bool m_isChecked = false; ///< True when checked, or when no check is needed.
    bool m_isWanted = false;
    bool m_isMeasured = false;                      ///< True once the error has been requested.
    std::shared_ptr<const MeasuredErrors> m_errors; ///< Null until measured.
    LatestTask m_task;
    LatestTask m_measuring;
};

} // namespace headscope::ui
