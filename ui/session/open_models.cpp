#include "ui/session/open_models.h"

#include "core/io/adapters/lora_files.h"

#include <utility>

namespace headscope::ui {

OpenModels::OpenModels(ModelLoader::Open opener)
    : m_opener(std::move(opener))
    , m_loader(m_opener)
    , m_secondLoader(m_opener)
{
    connect(&m_loader, &ModelLoader::advanced, this,
            [this](const QString&, quint64 done, quint64 total) {
                m_loadingBytes = {done, total};
                emit loadingAdvanced();
            });
    connect(&m_loader, &ModelLoader::loaded, this, &OpenModels::opened);
    connect(&m_loader, &ModelLoader::failed, this,
            [this](const QString&, const QString& sentence) { refuse(sentence); });
    connect(&m_secondLoader, &ModelLoader::loaded, this, [this](const OpenedModel& opened) {
        m_exactSecond = opened.model;
        m_second = rounded(m_exactSecond);
        editSecond();
        emit secondOpened();
    });
    connect(&m_secondLoader, &ModelLoader::failed, this,
            [this](const QString&, const QString& sentence) { emit failed(sentence); });
    connect(&m_audit, &ModelAudit::changed, this, &OpenModels::auditChanged);
}

bool OpenModels::isBlank() const
{
    return !m_model.model && !isCaptured() && m_loading.isEmpty();
}

std::vector<AttentionKind> OpenModels::parts() const
{
    if (m_model.model)
        return m_model.model->config().attentionKinds();
    return m_captured ? m_captured->attentionKinds() : std::vector<AttentionKind>();
}

OpenModels::GridSize OpenModels::gridOf(AttentionKind part) const
{
    if (m_captured)
        return {m_captured->layerCount(part), m_captured->headCount(part)};
    if (!m_model.model)
        return {};
    const ModelConfig& config = m_model.model->config();
    const bool second = part == AttentionKind::DecoderSelf || part == AttentionKind::Cross;
    return {static_cast<int>(second ? config.decoderLayerCount() : config.layers),
            static_cast<int>(config.heads)};
}

Selection OpenModels::firstSelection() const
{
    Selection selection;
    const auto known = parts();
    if (known.empty())
        return selection;
    selection.part = known.back(); // cross-attention of an encoder-decoder
    if (m_captured)                // some layers may be missing
        while (m_captured->headsOf(patternKey(selection.part, selection.layer)) == 0)
            ++selection.layer;
    return selection;
}

bool OpenModels::readsTarget() const
{
    if (m_captured)
        return m_captured->sourceTokens().size() > 0;
    return m_model.model && m_model.model->config().isEncoderDecoder();
}

int OpenModels::longestText() const
{
    if (m_captured)
        return static_cast<int>(
            (readsTarget() ? m_captured->sourceTokens() : m_captured->tokens()).size());
    return m_model.model ? static_cast<int>(m_model.model->config().maxLen) : 0;
}

void OpenModels::open(const QString& name)
{
    m_loading = name;
    m_loadingBytes = {};
    if (m_traceLoader)
        m_traceLoader->forget();
    m_loader.load(name);
    emit loadingChanged();
}

void OpenModels::openTrace(const QString& path)
{
    if (!m_traceLoader) {
        m_traceLoader = std::make_unique<TraceLoader>();
        connect(m_traceLoader.get(), &TraceLoader::loaded, this, &OpenModels::traceOpened);
        connect(m_traceLoader.get(), &TraceLoader::failed, this, &OpenModels::refuse);
    }
    m_loading = path;
    m_loader.cancel();
    m_traceLoader->load(path);
    emit loadingChanged();
}

void OpenModels::cancelLoading()
{
    if (m_loading.isEmpty())
        return;
    m_loader.cancel();
    if (m_traceLoader)
        m_traceLoader->forget();
    const QString name = std::exchange(m_loading, QString());
    emit loadingCancelled(name);
    emit loadingChanged();
}

void OpenModels::refuse(const QString& sentence)
{
    m_loading.clear();
    emit loadingChanged();
    emit failed(sentence);
}

void OpenModels::adopt(const LoadedModel& model, LoadAuditPtr audit, Origin origin)
{
    m_loader.cancel(); // obsolete request
    m_exact = origin == Origin::Opened ? model : LoadedModel();
    m_model = origin == Origin::Opened ? rounded(model) : model;
    m_captured = nullptr;
    m_capturedRoles.clear();
    m_edited = {};
    m_audit.adopt(m_model, std::move(audit));
    m_loading.clear();
}

void OpenModels::adoptTrace(const CapturedTrace& captured)
{
    m_exact = {};
    m_model = captured.names;
    m_captured = captured.result.a;
    m_capturedRoles = captured.roles;
    m_audit.adopt(m_model, nullptr);
    m_loading.clear();
    openSecond({}, {});
}

void OpenModels::followWeights(const LoadedModel& model)
{
    m_exact = {};
    m_model = model;
    m_audit.adopt(model, nullptr);
    editSecond();
}

LoadedModel OpenModels::rounded(const LoadedModel& exact) const
{
    LoadedModel model = exact;
    if (exact.model && m_precision != WeightPrecision::Float32)
        model.model = std::make_shared<const Model>(Model::rounded(exact.model, m_precision));
    return model;
}

bool OpenModels::setPrecision(WeightPrecision precision)
{
    m_precision = precision;
    m_second = rounded(m_exactSecond);
    if (m_exact.model) {
        m_model = rounded(m_exact);
        m_audit.adoptPrecision(m_model);
    }
    editSecond();
    return m_exact.model != nullptr;
}

void OpenModels::openSecond(const QString& name, const std::vector<WeightEdit>& edits)
{
    if (name != m_secondName) {
        m_secondName = name;
        m_second = {};
        m_exactSecond = {};
        m_edited = {};
        if (name.isEmpty())
            m_secondLoader.cancel();
        else
            m_secondLoader.load(name);
    }
    const bool isNew = edits != m_edits || m_editedFrom != unedited().model;
    m_edits = edits;
    if (isNew)
        editSecond();
}

/// Until it is ready, second() stays as it was: B does not vanish from one edit to the next.
void OpenModels::editSecond()
{
    const LoadedModel& base = unedited();
    m_editedFrom = base.model;
    const bool isOpening = !m_secondName.isEmpty() && !m_second.model;
    if (m_edits.empty() || !base.model || isOpening) {
        m_editing.cancel();
        m_edited = {};
        return;
    }
    m_editing.start(
        [base, edits = m_edits, open = m_opener](const LatestTask::Control& control) {
            const auto checkpoint = [&open](const std::string& name) { return open(name).model; };
            return editedWithAdapters(base, edits, checkpoint, control.stop());
        },
        [this](const std::shared_ptr<const Model>& edited) { adoptEdited(edited); },
        [this](const QString& sentence) {
            m_edited = {};
            emit failed(sentence);
            emit secondOpened();
        });
}

void OpenModels::adoptEdited(const std::shared_ptr<const Model>& edited)
{
    m_edited = unedited();
    m_edited.model = edited;
    emit secondOpened();
}

} // namespace headscope::ui
