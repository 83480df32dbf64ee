#pragma once

#include "core/analysis/lens/tuned_lens.h"
#include "ui/workers/tasks/latest_task.h"

namespace headscope::ui {

using TunedLensPtr = std::shared_ptr<const TunedLens>;

/// Which token a lens is asked about at every position.
struct LensTarget
{
    enum class Kind {
        Following, ///< what the text goes on with, after its last token as Answer; of an encoder
                   ///< the token itself
        Answer,    ///< what the model itself predicts in the end
        Chosen,    ///< one token everywhere
    };

    Kind kind = Kind::Following;
    TokenId id = 0; ///< of Chosen

    friend bool operator==(const LensTarget&, const LensTarget&) = default;
};

/// What is to be read; equal ones give equal readings. Holds nothing that two threads must not
/// share.
struct LensJob
{
    std::shared_ptr<const Model> modelA;
    std::shared_ptr<const Model> modelB;
    TracePtr a;
    TracePtr b; ///< null without changes
    bool halfSteps = false;
    LensTarget target;
    TunedLensPtr tuned; ///< null: the logit lens; trained for model A

    friend bool operator==(const LensJob&, const LensJob&) = default;
};

/// Both runs through one lens; empty where there is no such run.
struct LensReading
{
    StreamLens a;
    StreamLens b;
    std::string problem; ///< why there is nothing, one sentence

    const StreamLens& of(bool isB) const { return isB ? b : a; }
};

LensReading readLens(const LensJob& job, const std::function<void(double fraction)>& progress = {},
                     const std::stop_token& stop = {});

/// Reads lenses on a thread of its own, small ones at once. The newest job wins.
class LensMeter : public QObject
{
    Q_OBJECT

public:
    explicit LensMeter(QObject* parent = nullptr) : QObject(parent) {}

    void measure(const LensJob& job); ///< nothing for the job before
    void cancel();                    ///< what was read before stays

    const LensReading& reading() const { return m_reading; }

    const LensJob& subject() const { return m_subject; } ///< what reading() is of

    bool isMeasuring() const { return m_task.isRunning(); }

    double fraction() const { return m_fraction; } ///< of the one under way

signals:
    void measured();
    void advanced();

private:
    void take(const LensJob& job, const LensReading& reading);

    LensJob m_wanted;
    LensJob m_subject;
    LensReading m_reading;
    double m_fraction = 0.0;
    LatestTask m_task;
};

} // namespace headscope::ui
