#pragma once

#include "ui/session/looking.h"
#include "ui/session/model_audit.h"
#include "ui/workers/forward/forward_worker.h"
#include "ui/workers/models/model_loader.h"

#include <QTimer>
#include <QUndoStack>

#include <map>
#include <memory>

namespace headscope::ui {

class TraceLoader;
class Training;
struct CapturedTrace;

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

    const QString& target() const { return m_target; } ///< of an encoder-decoder: what it answers

    void setTarget(const QString& target); ///< typing, as setText
    bool readsTarget() const; ///< the model, or what was captured, is an encoder-decoder

    const Changes& changes() const { return m_changes; }

    void setChanges(const Changes& changes, const QString& name); ///< one undo step
    void setMask(const MaskChange& mask);
    void setHeadOff(const Interventions::Head& head, bool off,
                    HeadOff::Method method = HeadOff::Method::Zero);

    void setHeadOff(int layer, int head, bool off) { setHeadOff({layer, head}, off); }

    void removeChange(int index); ///< of Changes::words()
    void toggleChange(int index); ///< off for now, or on again
    void clearChanges();

    QUndoStack& undoStack() { return m_undo; }

    // The tokens of text() as soon as it is set; a long text's come with its trace instead.
    const TokenSequence& tokens() const { return m_tokens; }

    qint64 textTokens() const; ///< how many the whole text has, -1 while that is being counted
    int longestText() const;   ///< tokens that the model can take, 0 without a model; all of a
                               ///< captured trace's

    /// All that follows in one value, for views and figures.
    Looking looking() const;

    /// Lets traces hold more sites than the views' own, until `who` dies or asks for nothing.
    void askFor(const QObject* who, std::vector<std::string> globs);

    // What was computed. Null until the first picture; B is null when nothing is changed.
    const TracePtr& traceA() const { return m_result.a; }

    const TracePtr& traceB() const { return m_result.b; }

    const TracePtr& shownTrace() const; ///< of shownRun(); B's for a difference

    double elapsedMs() const { return m_result.elapsedMs; }

    quint64 shownTicket() const { return m_result.ticket; }

    quint64 postedTicket() const { return m_ticket; }

    bool isComputing() const { return m_ticket != m_answered; }

    double computedShare() const { return m_computedShare; } ///< of a long run; 0 for others

    void cancelComputing(); ///< the picture stays that of the text before; a sentence says so

    /// Patterns of a run that take more bytes than this are made when they are looked at.
    void setPatternBudget(std::size_t bytes);

    bool isStale() const { return m_stale; } ///< the picture is more than 150 ms behind the text

    // What the person looks at.
    const Selection& selection() const { return m_selection; }

    TokenPair pair() const;                 ///< in shownTrace()
    void activateHead(int layer, int head); ///< of the active part
    void activatePart(AttentionPart part);
    Interventions::Head activeHead() const;
    void selectPair(int query, int key); ///< pins it; -1 as in Selection
    void releasePair();

    bool canGoBack() const { return m_history.canGoBack(); }

    bool canGoForward() const { return m_history.canGoForward(); }

    void goBack();
    void goForward();

    Run shownRun() const { return m_shownRun; } ///< always A when nothing is changed

    void setShownRun(Run run);

    MapName colourMap() const { return m_colourMap; } ///< of weights; differences have their own

    void setColourMap(MapName map);

    const TokenDisplay& display() const { return m_display; }

    void setDisplay(const TokenDisplay& display);

    const LoadedModel& model() const { return m_model; } ///< model.model is null until one is there

    const LoadedModel& modelB() const; ///< model() unless the changes name another, once it is open

    void openModel(const QString& name);
    void cancelLoading(); ///< what is open stays

    /// What is known about the weights of model(); null while nobody has looked at them.
    const LoadAuditPtr& audit() const { return m_audit.audit(); }

    void wantAudit() { m_audit.want(); } ///< auditChanged() follows where there was none

    /// A trace that was written to a file: shown without a model. Text, target and changes stay as
    /// they are from then on, until a model is opened, which takes the text over.
    void openTrace(const QString& path);

    bool isCaptured() const { return !m_model.model && m_model.tokenizer; } ///< that is shown

    bool isBlank() const; ///< neither a model nor a captured trace, and none on its way

    /// Other weights, as of a model in training or of a moment of it. Where layers, heads and
    /// vocabulary stay the same, so does all that the person chose; a text that is being computed
    /// comes first.
    void followModel(const LoadedModel& model);

    Training& training() { return *m_training; }

    const Training& training() const { return *m_training; }

    const QString& loadingName() const { return m_loading; } ///< empty when nothing is being opened

    const LoadedBytes& loadingBytes() const { return m_loadingBytes; }

    double loadingFraction() const { return m_loadingBytes.fraction(); }

    const BackendRegistry& registry() const { return m_registry; }

    const ModelLoader::Open& opener() const { return m_opener; } ///< opens any model, on any thread

    const QString& device() const { return m_device; } ///< what was asked for

    void setDevice(const QString& choice);

signals:
    void textChanged();
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
    void busyChanged(); ///< isStale() or loadingName()
    void loadingAdvanced();
    void loadingCancelled(const QString& name);
    void auditChanged();
    void noteRaised(const QString& sentence); ///< shown all the same, but odd
    void errorRaised(const QString& sentence);

private:
    struct GridSize
    {
        int layers = 0;
        int heads = 0;
    };

    friend class TextCommand;
    friend class TargetCommand;
    friend class ChangesCommand;

    void connectThreads();
    void connectOpening();
    void applyText(const QString& text);
    void applyTarget(const QString& target);
    void applyChanges(const Changes& changes);
    Changes fitting(Changes changes) const;
    void tokenize();
    void openSecondModel();
    RunText runText() const;
    SecondRun secondRun() const;
    bool secondModelIsReady() const;
    void post();
    void accept(const ForwardResult& result);
    void refuse(quint64 ticket, const QString& sentence);
    void advance(quint64 ticket, double fraction);
    void adoptOpened(const OpenedModel& opened);
    void adoptModel(const LoadedModel& model, LoadAuditPtr audit = nullptr);
    void adoptTrace(const CapturedTrace& captured);
    std::vector<AttentionPart> parts() const; // of the model, or of what was captured
    GridSize gridOf(AttentionPart part) const;
    void answered(quint64 ticket);
    void setStale(bool stale);
    void moveTo(const Selection& selection);

    BackendRegistry m_registry;
    ModelLoader::Open m_opener;
    QUndoStack m_undo;
    QTimer m_staleTimer;
    QString m_text;
    QString m_target;
    TokenSequence m_tokens;
    bool m_tokenizeInWorker = false; // m_text is long: its tokens come with the trace
    Changes m_changes;
    Selection m_selection;
    SelectionHistory m_history;
    Run m_shownRun = Run::A;
    MapName m_colourMap = MapName::Depth;
    TokenDisplay m_display;
    std::map<const QObject*, std::vector<std::string>> m_wishes;
    LoadedModel m_model;
    LoadedModel m_nextModel;   // waits for the running text: see followModel
    LoadedModel m_secondModel; // of m_changes.model, when that is not empty
    QString m_loading;
    LoadedBytes m_loadingBytes;
    ModelAudit m_audit;
    QString m_device = "auto";
    ForwardResult m_result;
    quint64 m_ticket = 0;      // newest posted
    quint64 m_answered = 0;    // newest, with a result or a sentence
    quint64 m_firstTicket = 1; // older ones belong to another model
    bool m_stale = false;
    double m_computedShare = 0.0;
    std::size_t m_patternBudget = std::size_t{512} << 20;
    std::unique_ptr<ModelLoader> m_loader; // the threads end before the rest does
    std::unique_ptr<ModelLoader> m_secondLoader;
    std::unique_ptr<TraceLoader> m_traceLoader; // null until a trace is opened
    std::unique_ptr<ForwardWorker> m_worker;
    std::unique_ptr<Training> m_training;
};

} // namespace headscope::ui
