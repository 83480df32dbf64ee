#include "ui/session/model_audit.h"

#include <utility>

namespace headscope::ui {

namespace {

constexpr std::size_t kEnoughTokens = 4; // minimum for auditPatterns

} // namespace

void ModelAudit::adopt(const LoadedModel& model, LoadAuditPtr audit)
{
    m_task.cancel();
    m_measuring.cancel();
    m_isMeasured = false;
    m_errors.reset();
    m_model = model;
    m_isChecked = audit == nullptr; // untrained heads are uniform, as expected
    m_isWanted = false;
    m_audit = std::move(audit);
}

void ModelAudit::adoptPrecision(const LoadedModel& model)
{
    LoadAuditPtr audit = m_audit;
    if (audit) {
        LoadAudit unmeasured = *audit;
        unmeasured.precisionError.reset();
        audit = std::make_shared<const LoadAudit>(std::move(unmeasured));
    }
    const bool isChecked = m_isChecked;
    adopt(model, std::move(audit));
    m_isChecked = isChecked;
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
    if (!m_model.model)
        return;
    measure();
    if (m_audit || m_isWanted)
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
                     if (audit != m_audit)
                         take(audit);
                 }); // no audit without memory for it
}

/// Takes an audit; one made meanwhile from an earlier state lacks the measured errors.
void ModelAudit::take(LoadAuditPtr audit)
{
    if (m_errors) {
        LoadAudit complete = *audit;
        complete.productsError = m_errors->products;
        complete.precision = m_model.model->precision();
        complete.precisionError = m_errors->precision;
        audit = std::make_shared<const LoadAudit>(std::move(complete));
    }
    m_audit = std::move(audit);
    m_isWanted = false;
    emit changed();
}

void ModelAudit::measure()
{
    if (m_isMeasured)
        return;
    m_isMeasured = true;
    m_measuring.start(
        [model = m_model](const LatestTask::Control& control) {
            return std::make_shared<const MeasuredErrors>(
                MeasuredErrors{measureProductsError(model, control.stop()),
                               measurePrecisionError(model, control.stop())});
        },
        [this](const std::shared_ptr<const MeasuredErrors>& errors) {
            m_errors = errors;
            if (m_audit && (errors->products || errors->precision))
                take(m_audit);
        });
}

} // namespace headscope::ui
