#pragma once

#include "core/model/edits/edited_model.h"
#include "ui/session/model_audit.h"
#include "ui/session/selection.h"
#include "ui/workers/forward/trace_loader.h"
#include "ui/workers/models/model_loader.h"

namespace headscope::ui {

/// Loaded bytes of weights; `total` is 0 while unknown.
struct LoadedBytes
{
    quint64 done = 0;
    quint64 total = 0;

    double fraction() const
    {
        return total == 0 ? 0.0 : static_cast<double>(done) / static_cast<double>(total);
    }
};

/// The model whose attention is shown, or a captured trace in its place, and the second model that
/// changes may name. Opens them in background threads; results are shown once the session adopts
/// them.
class OpenModels : public QObject
{
    Q_OBJECT

public:
    struct GridSize
    {
        int layers = 0;
        int heads = 0;
    };

    explicit OpenModels(ModelLoader::Open opener);

    /// Open model; model.model is null before the first.
    const LoadedModel& model() const { return m_model; }

    /// Model of B: model() unless changes name another that is open, or edit its weights.
    const LoadedModel& second() const { return m_edited.model ? m_edited : unedited(); }

    /// Model whose weights B's edits are applied to.
    const LoadedModel& unedited() const { return m_second.model ? m_second : m_model; }

    /// True when B can be computed, perhaps with the edits before the newest.
    bool isSecondReady() const
    {
        return (m_secondName.isEmpty() || m_second.model) && (m_edits.empty() || m_edited.model);
    }

    bool isEditing() const { return m_editing.isRunning(); } ///< True while edits are applied.

    bool isCaptured() const { return m_captured != nullptr; }

    /// Roles of the turns of a captured chat; empty for other traces, and for a model.
    const std::vector<std::string>& capturedRoles() const { return m_capturedRoles; }

    /// True when neither a model nor a captured trace is open or being opened.
    bool isBlank() const;

    // Properties of the model or the captured trace.
    std::vector<AttentionKind> parts() const;
    GridSize gridOf(AttentionKind part) const;
    Selection firstSelection() const; ///< Selection of an existing head.
    bool readsTarget() const;         ///< True for an encoder-decoder.
    /// Maximum number of tokens: the model's context, 0 without a model, or the length of a
    /// captured trace.
    int longestText() const;

    void open(const QString& name);

    /// Precision of the weights of opened models; those in training keep theirs.
    WeightPrecision precision() const { return m_precision; }

    /// Opens a trace file, which is shown without a model.
    void openTrace(const QString& path);
    void cancelLoading(); ///< Cancels loading and keeps what is open.

    /// Name of the model being opened; empty: none.
    const QString& loadingName() const { return m_loading; }

    const LoadedBytes& loadingBytes() const { return m_loadingBytes; }

    /// Opener for any model, on any thread.
    const ModelLoader::Open& opener() const { return m_opener; }

    /// Load audit of model(); null until available.
    const LoadAuditPtr& audit() const { return m_audit.audit(); }

    /// Requests the audit; auditChanged() follows unless it is available.
    void wantAudit() { m_audit.want(); }

signals:
    void opened(const headscope::OpenedModel& opened);
    void traceOpened(const headscope::ui::CapturedTrace& captured);
    void secondOpened();   ///< Emitted when second() has changed, or cannot be edited as asked.
    void loadingChanged(); ///< Emitted when loadingName() has changed.
    void loadingAdvanced();
    void loadingCancelled(const QString& name);
    void auditChanged();
    void failed(const QString& sentence);

private:
    friend class Session; // Session emits these signals once all parts are consistent.

    /// Where a model comes from: files, or training, which changes its weights.
    enum class Origin { Opened, Trained };

    void adopt(const LoadedModel& model, LoadAuditPtr audit, Origin origin);
    void adoptTrace(const CapturedTrace& captured);
    void followWeights(const LoadedModel& model);
    /// Returns true when model() was opened, and so multiplies with other weights now.
    bool setPrecision(WeightPrecision precision);
    LoadedModel rounded(const LoadedModel& exact) const;
    /// Opens the second model (empty: none) and applies edits to its weights.
    void openSecond(const QString& name, const std::vector<WeightEdit>& edits);
    void editSecond();
    void adoptEdited(const std::shared_ptr<const Model>& edited);

    void checkAudit(const TracePtr& trace) { m_audit.check(trace); }

    void refuse(const QString& sentence);

    ModelLoader::Open m_opener;
    LoadedModel m_model;
    LoadedModel m_exact;       // m_model as it was opened; none while it is trained.
    LoadedModel m_second;      // Model called m_secondName.
    LoadedModel m_exactSecond; // m_second as it was opened.
    WeightPrecision m_precision = WeightPrecision::Float32;
    TracePtr m_captured; // Null while a model is shown.
    std::vector<std::string> m_capturedRoles;
    QString m_secondName;
    std::vector<WeightEdit> m_edits;
    std::shared_ptr<const Model> m_editedFrom; // Model that m_edits were last applied to.
    LoadedModel m_edited;                      // unedited() with m_edits or those before.
    QString m_loading;
    LoadedBytes m_loadingBytes;
    ModelAudit m_audit;
    ModelLoader m_loader; // Declared last, so that its thread ends first.
    ModelLoader m_secondLoader;
    std::unique_ptr<TraceLoader> m_traceLoader; // Null until a trace is opened.
    LatestTask m_editing;
};

} // namespace headscope::ui
