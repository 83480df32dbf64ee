#pragma once

#include "ui/session/model_audit.h"
#include "ui/session/selection.h"
#include "ui/workers/forward/trace_loader.h"
#include "ui/workers/models/model_loader.h"

namespace headscope::ui {

/// Bytes of weights; `total` is 0 while nobody knows it.
struct LoadedBytes
{
    quint64 done = 0;
    quint64 total = 0;

    double fraction() const
    {
        return total == 0 ? 0.0 : static_cast<double>(done) / static_cast<double>(total);
    }
};

/// The model whose attention is shown, or the captured trace in its place, and the second model
/// that changes may name. Opens them on threads of its own; what was opened is shown once the
/// session adopts it.
class OpenModels : public QObject
{
    Q_OBJECT

public:
    struct GridSize
    {
        int layers = 0;
        int heads = 0;
    };

    explicit OpenModels(ModelLoader::Open opener, QObject* parent = nullptr);
    ~OpenModels() override;

    const LoadedModel& model() const { return m_model; } ///< model.model is null until one is there

    /// model() unless changes name another, once it is open.
    const LoadedModel& second() const { return m_second.model ? m_second : m_model; }

    bool isSecondReady() const { return m_secondName.isEmpty() || m_second.model; }

    bool isCaptured() const { return m_captured != nullptr; }

    bool isBlank() const; ///< neither a model nor a captured trace, and none on its way

    // Of the model, or of what was captured.
    std::vector<AttentionKind> parts() const;
    GridSize gridOf(AttentionKind part) const;
    Selection firstSelection() const; ///< a head that is there
    bool readsTarget() const;         ///< it is an encoder-decoder
    int longestText() const; ///< tokens that it can take, 0 without a model; all of a captured
                             ///< trace's

    void open(const QString& name);

    /// A trace that was written to a file: shown without a model.
    void openTrace(const QString& path);
    void cancelLoading(); ///< what is open stays

    const QString& loadingName() const { return m_loading; } ///< empty when nothing is being opened

    const LoadedBytes& loadingBytes() const { return m_loadingBytes; }

    const ModelLoader::Open& opener() const { return m_opener; } ///< opens any model, on any thread

    /// What is known about the weights of model(); null while nobody has looked at them.
    const LoadAuditPtr& audit() const { return m_audit.audit(); }

    void wantAudit() { m_audit.want(); } ///< auditChanged() follows where there was none

signals:
    void opened(const headscope::OpenedModel& opened);
    void traceOpened(const headscope::ui::CapturedTrace& captured);
    void secondOpened();
    void loadingChanged(); ///< loadingName()
    void loadingAdvanced();
    void loadingCancelled(const QString& name);
    void auditChanged();
    void failed(const QString& sentence);

private:
    friend class Session; // which says nothing of them before all else fits

    void adopt(const LoadedModel& model, LoadAuditPtr audit);
    void adoptTrace(const CapturedTrace& captured);
    void followWeights(const LoadedModel& model);
    void openSecond(const QString& name); ///< empty: none

    void checkAudit(const TracePtr& trace) { m_audit.check(trace); }

    void refuse(const QString& sentence);

    ModelLoader::Open m_opener;
    LoadedModel m_model;
    LoadedModel m_second; // of m_secondName
    TracePtr m_captured;  // null beside a model
    QString m_secondName;
    QString m_loading;
    LoadedBytes m_loadingBytes;
    ModelAudit m_audit;
    ModelLoader m_loader; // the threads end before the rest does
    ModelLoader m_secondLoader;
    std::unique_ptr<TraceLoader> m_traceLoader; // null until a trace is opened
};

} // namespace headscope::ui
