#pragma once

#include "ui/session/mask_choice.h"
#include "ui/session/selection.h"
#include "ui/workers/forward_worker.h"
#include "ui/workers/model_loader.h"

#include <QTimer>
#include <QUndoStack>

namespace headscope::ui {

/// Which run a picture shows.
enum class Run { A, B, Difference };

/// The pair that a selection means in a given trace: -1 where there is none.
struct TokenPair
{
    int query = -1;
    int key = -1;
    friend bool operator==(const TokenPair&, const TokenPair&) = default;
};

/// The only writer of state. Views ask it for changes and learn of them by its signals, like everyone
/// else. GUI thread.
class Session : public QObject
{
    Q_OBJECT

public:
    Session(BackendRegistry registry, ModelLoader::Open openModel, QObject* parent = nullptr);
    ~Session() override;

    // The document: text and changes in B. Both are undoable.
    const QString& text() const { return m_text; }
    void setText(const QString& text);     ///< typing: consecutive calls are one undo step
    void replaceText(const QString& text); ///< an undo step of its own
    const Changes& changes() const { return m_changes; }
    void setMask(const MaskChoice& mask);
    void setHeadOff(int layer, int head, bool off);
    void clearChanges();
    QUndoStack& undoStack() { return m_undo; }

    // What was computed. Null until the first picture.
    const TracePtr& traceA() const { return m_result.a; }
    const TracePtr& traceB() const { return m_result.b; }
    const TracePtr& shownTrace() const; ///< A or B, as shownRun() says; A when there is no B
    quint64 shownTicket() const { return m_result.ticket; }
    quint64 postedTicket() const { return m_ticket; }
    const TokenSequence& tokens() const { return m_tokens; } ///< of text(), uncut
    bool areTokensKnown() const { return m_tokensKnown; } ///< false while a long text is being cut up
    bool isStale() const { return m_stale; }              ///< the picture is over 150 ms behind

    // The selection.
    const Selection& selection() const { return m_selection; }
    void activateHead(int layer, int head);
    void selectPair(int query, int key); ///< pins it; -1 as in Selection
    void releasePair();
    TokenPair pair() const; ///< in shownTrace()
    bool canGoBack() const { return m_history.canGoBack(); }
    bool canGoForward() const { return m_history.canGoForward(); }
    void goBack();
    void goForward();
    Run shownRun() const { return m_shownRun; }
    void setShownRun(Run run);

    // Model and device.
    const LoadedModel& model() const { return m_model; } ///< model.model is null until one is loaded
    void openModel(const QString& name);
    bool isLoading() const { return !m_loading.isEmpty(); }
    const QString& loadingName() const { return m_loading; }
    const QString& device() const { return m_device; } ///< what was asked for
    void setDevice(const QString& choice);
    QString deviceText() const; ///< where the shown trace ran, and why
    const BackendRegistry& registry() const { return m_registry; }

signals:
    void textChanged();   ///< and tokens()
    void traceChanged();  ///< traces A and B
    void changesChanged();
    void selectionChanged();
    void modelChanged();
    void deviceChanged();
    void busyChanged(); ///< isStale() or isLoading()
    void errorRaised(const QString& sentence);

private:
    friend class TextCommand;
    friend class ChangesCommand;

    void applyText(const QString& text);
    void applyChanges(const Changes& changes);
    void pushChanges(const Changes& changes, const QString& name);
    void tokenize();
    void post();
    void accept(const ForwardResult& result);
    void refuse(quint64 ticket, const QString& sentence);
    void adoptModel(const LoadedModel& model);
    void setStale(bool stale);
    void moveTo(const Selection& selection);
    Selection clamped(Selection selection) const;

    BackendRegistry m_registry;
    QUndoStack m_undo;
    QTimer m_staleTimer;
    QString m_text;
    TokenSequence m_tokens;
    bool m_tokensKnown = true;
    Changes m_changes;
    Selection m_selection;
    SelectionHistory m_history;
    Run m_shownRun = Run::A;
    LoadedModel m_model;
    QString m_loading;
    QString m_device = "auto";
    QString m_deviceNote; // why the device that was asked for is not in use
    ForwardResult m_result;
    quint64 m_ticket = 0;
    quint64 m_answered = 0; // newest ticket that was finished or failed
    bool m_stale = false;
    std::unique_ptr<ModelLoader> m_loader;   // the threads stop first
    std::unique_ptr<ForwardWorker> m_worker;
};

} // namespace headscope::ui
