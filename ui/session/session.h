#pragma once

#include "ui/session/computation.h"
#include "ui/session/open_models.h"
#include "ui/session/session_document.h"
#include "ui/session/view_state.h"

namespace headscope::ui {

class Training;

/// The only writer of state: its parts, and how a change of one makes another stale. Views ask the
/// parts for changes and learn of them by signals, like everyone else. Lives on the GUI thread;
/// nothing here waits for a model.
class Session : public QObject
{
    Q_OBJECT

public:
    Session(BackendRegistry registry, ModelLoader::Open openModel, QObject* parent = nullptr);
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

    // What is read everywhere.
    const LoadedModel& model() const { return m_models.model(); }

    bool isCaptured() const { return m_models.isCaptured(); }

    const QString& text() const { return m_document.text(); }

    const Changes& changes() const { return m_document.changes(); }

    const TracePtr& traceA() const { return m_computation.result().a; }

    const TracePtr& traceB() const { return m_computation.result().b; }

    const Selection& selection() const { return m_view.selection(); }

    // What several parts know together.
    const TracePtr& shownTrace() const; ///< of the shown run; B's for a difference
    TokenPair pair() const;             ///< in shownTrace()
    qint64 textTokens() const; ///< how many the whole text has, -1 while that is being counted

    /// All that a view is a function of in one value, for views and figures.
    Looking looking() const;

    /// Other weights, as of a model in training or of a moment of it. Where layers, heads and
    /// vocabulary stay the same, so does all that the person chose; a text that is being computed
    /// comes first.
    void followModel(const LoadedModel& model);

signals:
    void textChanged(); ///< or the target
    void tokensChanged();
    void traceChanged();
    void changesChanged();
    void selectionChanged();
    void colourMapChanged();
    void displayChanged();
    void modelChanged();
    void weightsChanged(); ///< and nothing else of the model
    void deviceChanged();
    void computingAdvanced();
    void busyChanged(); ///< stale, or a model is being opened
    void loadingAdvanced();
    void loadingCancelled(const QString& name);
    void auditChanged();
    void noteRaised(const QString& sentence); ///< shown all the same, but odd
    void errorRaised(const QString& sentence);

private:
    void connectModels();
    void connectDocument();
    void connectComputation();
    void adoptOpened(const OpenedModel& opened);
    void adoptModel(const LoadedModel& model, LoadAuditPtr audit = nullptr);
    void adoptTrace(const CapturedTrace& captured);
    void followNext();
    void takeResult();

    BackendRegistry m_registry;
    OpenModels m_models;
    ViewState m_view;
    SessionDocument m_document;
    Computation m_computation;
    LoadedModel m_nextModel; // waits for the running text: see followModel
    std::unique_ptr<Training> m_training;
};

} // namespace headscope::ui
