#pragma once

#include "core/analysis/lens/tuned_lens.h"
#include "ui/workers/tasks/latest_task.h"

namespace headscope::ui {

using TunedLensPtr = std::shared_ptr<const TunedLens>;

/// Target token of a lens at every position.
struct LensTarget
{
    enum class Kind {
        /// The next token of the text, after its last token as Answer; for an encoder the token
        /// itself.
        Following,
        Answer, ///< The model's final prediction.
        Chosen, ///< One chosen token at every position.
    };

    Kind kind = Kind::Following;
    TokenId id = 0; ///< Token id for Chosen.

    friend bool operator==(const LensTarget&, const LensTarget&) = default;
};

/// Inputs of a lens reading; equal jobs give equal readings. Contains nothing that two threads must
/// not share.
struct LensJob
{
    std::shared_ptr<const Model> modelA;
    std::shared_ptr<const Model> modelB;
    TracePtr a;
    TracePtr b; ///< Trace of B; null without changes.
    bool halfSteps = false;
    LensTarget target;
    TunedLensPtr tuned; ///< Tuned lens, trained for model A; null: the logit lens.

    friend bool operator==(const LensJob&, const LensJob&) = default;
};

/// Readings of A and B with one lens; empty where there is no such trace.
struct LensReading
{
    StreamLens a;
    StreamLens b;
    std::string problem; ///< Reason why there is no reading, as one sentence.

    const StreamLens& of(bool isB) const { return isB ? b : a; }
};

using LensReadingPtr = std::shared_ptr<const LensReading>;

LensReading readLens(const LensJob& job, const std::function<void(double fraction)>& progress = {},
                     const std::stop_token& stop = {});

/// Computes lens readings in its own thread, small ones at once. The newest job wins.
class LensMeter : public QObject
{
    Q_OBJECT

public:
    void measure(const LensJob& job); ///< Requests a reading; the previous job is not answered.
    void cancel();                    ///< Cancels the request and keeps the previous reading.

    const LensReadingPtr& reading() const { return m_reading; } ///< Not null.

    const LensJob& subject() const { return m_subject; } ///< Job of reading().

    bool isMeasuring() const { return m_task.isRunning(); }

    double fraction() const { return m_fraction; } ///< Progress of the current job, 0 to 1.

signals:
    void measured();
    void advanced();

private:
    void take(const LensJob& job, LensReading reading);

    LensJob m_wanted;
    LensJob m_subject;
    LensReadingPtr m_reading = std::make_shared<const LensReading>();
    double m_fraction = 0.0;
    LatestTask m_task;
};

} // namespace headscope::ui
