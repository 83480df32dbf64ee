#include "ui/session/model_audit.h"

#include <utility>

namespace headscope::ui {

namespace {

constexpr std::size_t kEnoughTokens = 4; // minimum for auditPatterns

} // namespace

ModelAudit::ModelAudit(QObject* parent) : QObject(parent) {}

void ModelAudit::adopt(const LoadedModel& model, LoadAuditPtr audit)
{
    m_task.cancel();
    m_model = model;
    m_isChecked = audit == nullptr; // untrained heads are uniform, as expected
    m_isWanted = false;
    m_audit = std::move(audit);
}

void ModelAudit::check(const TracePtr& trace)
{
    if (m_isChecked || !trace || trace->tokens().size() < kEnoughTokens ||
        trace->patternKeys().empty())
        return;
    m_isChecked = true;
    work([trace, before = m_audit] {
        LoadAudit audit = *before;
        auditPatterns(audit, *trace);
        return audit.warnings.size() == before->warnings.size()
                   ? before
                   : std::make_shared<const LoadAudit>(std::move(audit));
    });
}

void ModelAudit::want()
{
    if (m_audit || m_isWanted || !m_model.model)
        return;
    m_isWanted = true;
    work([model = m_model] {
        LoadAudit audit = auditParameters(*model.model, model.tokenizer.get());
        audit.path = model.name;
        return std::make_shared<const LoadAudit>(std::move(audit));
    });
}

void ModelAudit::work(std::function<LoadAuditPtr()> job)
{
    m_task.start([job = std::move(job)](const LatestTask::Control&) { return job(); },
                 [this](const LoadAuditPtr& audit) {
                     if (audit == m_audit)
                         return;
                     m_audit = audit;
                     m_isWanted = false;
                     emit changed();
                 }); // no audit without memory for it
}

} // namespace headscope::ui
