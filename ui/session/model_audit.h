#pragma once

#include "core/io/load_audit.h"
#include "core/model/pass/tracer.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>

#include <functional>
#include <memory>

namespace headscope::ui {

using LoadAuditPtr = std::shared_ptr<const LoadAudit>;

/// What is known about the weights of the open model: what opening it found out, completed by its
/// first picture. Where opening found nothing out, and after every step of a training, the
/// parameters themselves are looked at when somebody asks. Both happen on a thread of its own.
class ModelAudit : public QObject
{
    Q_OBJECT

public:
    explicit ModelAudit(QObject* parent = nullptr);

    /// Says nothing by itself. Null: nothing is known yet.
    void adopt(const LoadedModel& model, LoadAuditPtr audit);
    void check(const TracePtr& trace); ///< the first one long enough of the adopted model
    void want();                       ///< ends with changed(), unless the audit is there

    const LoadAuditPtr& audit() const { return m_audit; }

signals:
    void changed();

private:
    void work(std::function<LoadAuditPtr()> job);

    LoadedModel m_model;
    LoadAuditPtr m_audit;
    bool m_isChecked = false; ///< or needs no check
    bool m_isWanted = false;
    LatestTask m_task;
};

} // namespace headscope::ui
