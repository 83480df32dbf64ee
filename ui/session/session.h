#pragma once

#include "ui/session/changes.h"
#include "ui/session/selection.h"
#include "ui/workers/forward_worker.h"
#include "ui/workers/model_loader.h"

#include <QTimer>
#include <QUndoStack>

#include <memory>

namespace headscope::ui {

/// Which run a picture shows.
enum class Run { A, B };

/// Query and key token that a selection means in a given trace; -1 where there is none.
struct TokenPair
{
    int query = -1;
    int key = -1;
    friend bool operator==(const TokenPair&, const TokenPair&) = default;
};

TokenPair resolve(const Selection& selection, const Trace& trace);

/// The only writer of state. Views ask it for changes and learn of them by its signals, like
/// everyone else. Lives on the GUI thread; nothing here waits for a model.
class Session : public QObject
{
    Q_OBJECT

public:
    Session(BackendRegistry registry, ModelLoader::Open openModel, QObject* parent = nullptr);
    ~Session() override;

    // The document: the text, and the changes that make B. Both can be undone.
    const QString& text() const { return m_text; }

    void setText(const QString& text);     ///< typing: calls in a row are one undo step
    void replaceText(const QString& text); ///< an undo step of its own

    const Changes& changes() const { return m_changes; }

    void setMask(const MaskChange& mask);
    void setHeadOff(int layer, int head, bool off);
    void clearChanges();

    QUndoStack& undoStack() { return m_undo; }

    // The tokens of text() as soon as it is set; a long text's come with its trace instead.
    const TokenSequence& tokens() const { return m_tokens; }

    qint64 textTokens() const; ///< how many the whole text has, -1 while that is being counted
    int longestText() const;   ///< tokens that the model can take, 0 without a model

    // What was computed. Null until the first picture; B is null when nothing is changed.
    const TracePtr& traceA() const { return m_result.a; }

    const TracePtr& traceB() const { return m_result.b; }

    const TracePtr& shownTrace() const;                       ///< of shownRun()
    const std::vector<ThumbnailPtr>& shownThumbnails() const; ///< of shownRun()

    double elapsedMs() const { return m_result.elapsedMs; }

    quint64 shownTicket() const { return m_result.ticket; }

    quint64 postedTicket() const { return m_ticket; }

    bool isStale() const { return m_stale; } ///< the picture is more than 150 ms behind the text

    // What the person looks at.
    const Selection& selection() const { return m_selection; }

    TokenPair pair() const; ///< in shownTrace()
    void activateHead(int layer, int head);
    void selectPair(int query, int key); ///< pins it; -1 as in Selection
    void releasePair();

    bool canGoBack() const { return m_history.canGoBack(); }

    bool canGoForward() const { return m_history.canGoForward(); }

    void goBack();
    void goForward();

    Run shownRun() const { return m_shownRun; } ///< always A when there is no B

    void setShownRun(Run run);

    MapName colourMap() const { return m_colourMap; } ///< of weights; differences have their own

    void setColourMap(MapName map);

    const LoadedModel& model() const { return m_model; } ///< model.model is null until one is there

    void openModel(const QString& name);

    const QString& loadingName() const { return m_loading; } ///< empty when nothing is being opened

    const BackendRegistry& registry() const { return m_registry; }

    const QString& device() const { return m_device; } ///< what was asked for

    void setDevice(const QString& choice);

signals:
    void textChanged();
    void tokensChanged();
    void traceChanged();
    void changesChanged();
    void selectionChanged();
    void colourMapChanged();
    void modelChanged();
    void deviceChanged();
    void busyChanged(); ///< isStale() or loadingName()
    void errorRaised(const QString& sentence);

private:
    friend class TextCommand;
    friend class ChangesCommand;

    void connectThreads();
    void applyText(const QString& text);
    void applyChanges(const Changes& changes);
    Changes fitting(Changes changes) const;
    void pushChanges(const Changes& changes, const QString& name);
    void tokenize();
    void post();
    void accept(const ForwardResult& result);
    void refuse(quint64 ticket, const QString& sentence);
    void adoptModel(const LoadedModel& model);
    void answered(quint64 ticket);
    void setStale(bool stale);
    void moveTo(const Selection& selection);

    BackendRegistry m_registry;
    QUndoStack m_undo;
    QTimer m_staleTimer;
    QString m_text;
    TokenSequence m_tokens;
    bool m_tokenizeInWorker = false; // m_text is long: its tokens come with the trace
    Changes m_changes;
    Selection m_selection;
    SelectionHistory m_history;
    Run m_shownRun = Run::A;
    MapName m_colourMap = MapName::Depth;
    LoadedModel m_model;
    QString m_loading;
    QString m_device = "auto";
    ForwardResult m_result;
    quint64 m_ticket = 0;      // newest posted
    quint64 m_firstTicket = 1; // older ones belong to another model
    bool m_stale = false;
    std::unique_ptr<ModelLoader> m_loader; // the threads end before the rest does
    std::unique_ptr<ForwardWorker> m_worker;
};

} // namespace headscope::ui
