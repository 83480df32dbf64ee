#pragma once

#include "ui/pages/weights/weights_content.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>

namespace headscope::ui {

using WeightLinePtr = std::shared_ptr<const WeightLine>;

/// What the page shows of a matrix, read and computed in the background. The last results stay
/// until newer ones arrive.
class WeightsMeasurement : public QObject
{
    Q_OBJECT

public:
    explicit WeightsMeasurement(QObject* parent = nullptr);

    /// Requests whatever is missing for this view.
    void measure(const WeightSubject& subject, const WeightsOptions& options);

    const WeightSubject& subject() const { return m_subject; }

    const WeightMapPtr& map() const { return m_map; } ///< Null before the first.

    const WeightLinePtr& line() const { return m_line; } ///< Null before the first.

    /// Singular values of subject(); empty while they are computed, and where there are none.
    const std::vector<double>& singularValues() const { return m_values; }

    /// Why there are no singular values, or that they are being computed; empty otherwise.
    QString spectrumNote() const;

    bool isMapped() const { return !m_mapping.isRunning(); } ///< True when map() is up to date.

    bool isSettled() const;

signals:
    void changed();
    void failed(const QString& sentence);

private:
    void readMap(const WeightMapRequest& request);
    void readLine(const WeightsOptions& options);
    void computeSpectrum();

    WeightSubject m_subject;
    WeightMapRequest m_request;
    std::pair<qint64, bool> m_place{-1, false}; ///< Index and direction of the requested line.
    WeightMapPtr m_map;
    WeightLinePtr m_line;
    std::vector<double> m_values;
    QString m_whyNoValues;
    LatestTask m_mapping;
    LatestTask m_lining;
    LatestTask m_computing;
};

} // namespace headscope::ui
