#pragma once

#include "core/model/tracer.h"
#include "ui/workers/patterns.h"
#include "ui/workers/return_path.h"
#include "ui/workers/task_thread.h"

#include <QObject>

#include <array>
#include <map>
#include <stop_token>

namespace headscope::ui {

/// What heads can be found by. All are shares of 0 to 1 but the distance, which is in tokens.
enum class HeadScore { Induction, Duplicate, PreviousToken, FirstToken, Entropy, Distance };

constexpr int kHeadScores = 6;

/// All heads of one part, measured on one text. NaN: not defined there.
struct HeadScoreTable
{
    int layers = 0;
    int heads = 0;
    std::vector<std::array<double, kHeadScores>> values; ///< layer-major

    double at(HeadIndex head, HeadScore score) const; ///< NaN outside the table

    bool isEmpty() const { return values.empty(); }

    /// Heads by this score, largest first (smallest first when `rising`), undefined ones last;
    /// equal ones in the model's order.
    std::vector<HeadIndex> ranked(HeadScore score, bool rising = false) const;

    /// Of every layer its heads in that order: HeadGridContent::order.
    std::vector<int> orderInLayers(HeadScore score) const;
};

using HeadScoreTables = std::map<AttentionPart, HeadScoreTable>;

/// On the trace's own tokens: core/analysis/head_scores.h, induction by inductionOnText. Of maps
/// that are not square (cross attention) entropy and first token alone. Throws Cancelled.
HeadScoreTables scoreText(const Trace& trace, std::stop_token stop = {});

/// What heads do on `period` random tokens said twice: the mean over several such texts. Induction
/// and duplicate are stripes: the mean weight, over the second round, of the token right after the
/// earlier copy and of the copy itself.
struct Probe
{
    HeadScoreTables tables;
    TracePtr example; ///< of one of the texts
    int period = 0;
    int texts = 0;
    double elapsedMs = 0.0;
};

using ProbePtr = std::shared_ptr<const Probe>;

constexpr int kProbeTexts = 4;

/// Same model, same probe. Throws Error for a model that is too small for one, and Cancelled.
ProbePtr runProbe(const LoadedModel& model, std::stop_token stop = {},
                  const std::function<void(int done)>& progress = {});

/// Measures on its own thread. Signals arrive on the thread that made it.
class HeadScorer : public QObject
{
    Q_OBJECT

public:
    explicit HeadScorer(QObject* parent = nullptr);
    ~HeadScorer() override;

    void scoreTrace(const TracePtr& trace); ///< a newer one stops the one before it

    /// Answers at once, by the signal, when this model was probed before.
    void probe(const LoadedModel& model);
    void cancelProbe();

    bool isProbing() const { return m_probing; }

signals:
    void traceScored(const headscope::TracePtr& trace,
                     const headscope::ui::HeadScoreTables& tables);
    void probeProgressed(int done, int of);
    void probed(const headscope::ui::ProbePtr& probe);
    void probeFailed(const QString& sentence); ///< empty when it was cancelled

private:
    void probeOnThread(const LoadedModel& model, quint64 wish, std::stop_token stop);
    void deliver(quint64 wish, std::function<void()> answer);

    std::weak_ptr<const Model> m_probedModel;
    ProbePtr m_probe;
    bool m_probing = false;
    quint64 m_wish = 0; // the newest probe; answers of older ones are dropped
    std::stop_source m_stopText;
    std::stop_source m_stopProbe;
    ReturnPath m_home;
    TaskThread m_thread; // last: its tasks use the others
};

} // namespace headscope::ui
