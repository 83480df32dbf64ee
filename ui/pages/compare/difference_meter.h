#pragma once

#include "ui/pages/compare/difference_content.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>

namespace headscope::ui {

/// Compares the traces and the weights of A and B on its own threads. The previous result stays
/// until the next is there; weights are compared once for each pair of models.
class DifferenceMeter : public QObject
{
    Q_OBJECT

public:
    explicit DifferenceMeter(QObject* parent = nullptr) : QObject(parent) {}

    void measure(const ViewSnapshot& view);

    const Differences& differences() const { return m_differences; }

    const ViewSnapshot& subject() const
    {
        return m_subject;
    } ///< Subject of the traces' difference.

    bool isMeasuring() const { return m_traceTask.isRunning() || m_weightTask.isRunning(); }

    bool isComparingWeights() const { return m_weightTask.isRunning(); }

    double weightProgress() const { return m_weightProgress; } ///< Compared fraction, 0 to 1.

signals:
    void measured();
    void advanced();                      ///< Emitted when weightProgress() has changed.
    void failed(const QString& sentence); ///< Emitted with an error of the comparison.

private:
    using ModelPair = std::pair<std::shared_ptr<const Model>, std::shared_ptr<const Model>>;

    void measureTraces(const ViewSnapshot& view);
    void measureWeights(const ViewSnapshot& view);

    TracePtr m_a; ///< Requested trace of A.
    TracePtr m_b;
    ModelPair m_models; ///< Requested models.
    ViewSnapshot m_subject;
    Differences m_differences;
    double m_weightProgress = 0.0;
    LatestTask m_weightTask;
    LatestTask m_traceTask;
};

} // namespace headscope::ui
