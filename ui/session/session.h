#pragma once

#include "ui/session/computation.h"
#include "ui/session/open_models.h"
#include "ui/session/session_document.h"
#include "ui/session/view_state.h"

namespace headscope::ui {

class Training;

/// The only writer of state: owns the parts and propagates changes between them. Views request
/// changes from the parts and are informed by signals. Lives on the GUI thread; never waits for a
/// model.
class Session : public QObject
{
    Q_OBJECT

public:
    Session(BackendRegistry registry, ModelLoader::Open openModel);
    ~Session() override;

    OpenModels& models() { return m_models; }

    const OpenModels& models() const { return m_models; }

    ViewState& view() { return m_view; }

    const ViewState& view() const { return m_view; }

    SessionDocument& document() { return m_document; }

    const SessionDocument& document() const { return m_document; }

    Computation& computation() { return m_computation; }

    const Computation& computation() const { return m_computation; }

    Training& training() { return *m_training; }

    const Training& training() const { return *m_training; }

    const BackendRegistry& registry() const { return m_registry; }

    // Parts of the state.
    const LoadedModel& model() const { return m_models.model(); }

    bool isCaptured() const { return m_models.isCaptured(); }

    const QString& text() const { return m_document.text(); }

    const Changes& changes() const { return m_document.changes(); }

    const TracePtr& traceA() const { return m_computation.result().a; }

    const TracePtr& traceB() const { return m_computation.result().b; }

    const Selection& selection() const { return m_view.selection(); }

    // State that combines several parts.
    const TracePtr& shownTrace() const; ///< Trace of the shown variant; B's for a difference.
    TokenPair pair() const;             ///< Selected pair in shownTrace().
    qint64 textTokens() const; ///< Number of tokens in the whole text; -1 while being counted.

    /// Everything that determines a view, as one value, for views and figures.
    ViewSnapshot viewSnapshot() const;

    /// Replaces the weights, as of a model in training or a snapshot. The user's choices are kept
    /// if layers, heads and vocabulary stay the same. A pending forward pass finishes first.
    void followModel(const LoadedModel& model);

    /// Multiplies with weights of this precision: those of opened models, and of the ones to come.
    void setPrecision(WeightPrecision precision);

signals:
    void textChanged(); ///< Emitted when the text or the target has changed.
    void tokensChanged();
    void traceChanged();
    void changesChanged();
    void selectionChanged();
    void colourMapChanged();
    void displayChanged();
    void modelChanged();
    void weightsChanged(); ///< Emitted when only the weights of the model have changed.
    void deviceChanged();
    void precisionChanged();
    void computingAdvanced();
    void busyChanged(); ///< Emitted when staleness or loading has changed.
    void loadingAdvanced();
    void loadingCancelled(const QString& name);
    void auditChanged();
    /// Emitted with a warning that does not prevent a result.
    void noteRaised(const QString& sentence);
    void errorRaised(const QString& sentence);

private:
    void connectModels();
    void connectDocument();
    void connectComputation();
    void adoptOpened(const OpenedModel& opened);
    void adoptModel(const LoadedModel& model, LoadAuditPtr audit, OpenModels::Origin origin);
    void adoptTrace(const CapturedTrace& captured);
    void followNext();
    void takeResult();

    BackendRegistry m_registry;
    OpenModels m_models;
    ViewState m_view;
    SessionDocument m_document;
    Computation m_computation;
    LoadedModel m_nextModel; // Waits for the running forward pass: see followModel.
    std::unique_ptr<Training> m_training;
};

} // namespace headscope::ui
