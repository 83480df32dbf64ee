#include "ui/pages/weights/weights_measurement.h"

#include "core/analysis/weights/singular_values.h"
#include "core/base/content_language.h"

namespace headscope::ui {

namespace {

constexpr std::size_t kNearTokens = 8;

bool isSame(const WeightMapRequest& a, const WeightMapRequest& b)
{
    return a.firstRow == b.firstRow && a.rowCount == b.rowCount && a.mostColumns == b.mostColumns;
}

WeightReader readerOf(const WeightSubject& subject)
{
    return {subject.model, subject.matrix, subject.minus};
}

} // namespace

WeightsMeasurement::WeightsMeasurement(QObject* parent) : QObject(parent) {}

void WeightsMeasurement::measure(const WeightSubject& subject, const WeightsOptions& options)
{
    const bool isNew = !(subject == m_subject);
    m_subject = subject;
    if (subject.isEmpty()) {
        m_map.reset();
        m_line.reset();
        m_values.clear();
        return;
    }
    const WeightMapRequest request = mapRequest(subject.matrix, options);
    if (isNew || !isSame(request, m_request))
        readMap(request);
    const std::pair place{options.isColumn ? options.column : options.row, options.isColumn};
    if (isNew || place != m_place)
        readLine(options);
    if (isNew)
        computeSpectrum();
}

void WeightsMeasurement::readMap(const WeightMapRequest& request)
{
    m_request = request;
    m_mapping.start(
        [subject = m_subject, request](const LatestTask::Control& control) {
            return std::make_shared<const WeightMap>(
                weightMap(readerOf(subject), request, control.stop()));
        },
        [this](const WeightMapPtr& map) {
            m_map = map;
            emit changed();
        },
        [this](const QString& sentence) { emit failed(sentence); });
}

void WeightsMeasurement::readLine(const WeightsOptions& options)
{
    m_place = {options.isColumn ? options.column : options.row, options.isColumn};
    m_lining.start(
        [subject = m_subject, place = m_place](const LatestTask::Control& control) {
            const WeightReader reader = readerOf(subject);
            WeightLine line;
            line.index = place.first;
            line.isColumn = place.second;
            line.values = line.isColumn ? reader.column(line.index) : reader.row(line.index);
            if (isTokenLine(subject.matrix, line.isColumn) && !subject.matrix.isVector())
                line.near = nearestRows(reader, line.index, kNearTokens, control.stop());
            return std::make_shared<const WeightLine>(std::move(line));
        },
        [this](const WeightLinePtr& line) {
            m_line = line;
            emit changed();
        },
        [this](const QString& sentence) { emit failed(sentence); });
}

void WeightsMeasurement::computeSpectrum()
{
    m_values.clear();
    m_computing.cancel();
    m_whyNoValues = QString::fromStdString(message(whyNoSingularValues(m_subject.matrix)));
    if (!m_whyNoValues.isEmpty())
        return;
    m_computing.start(
        [subject = m_subject](const LatestTask::Control& control) {
            return headscope::singularValues(readerOf(subject), control.stop());
        },
        [this](const std::vector<double>& values) {
            m_values = values;
            emit changed();
        },
        [this](const QString& sentence) {
            m_whyNoValues = sentence;
            emit changed();
        });
}

QString WeightsMeasurement::spectrumNote() const
{
    return m_computing.isRunning() ? tr("Computing\u2026") : m_whyNoValues;
}

bool WeightsMeasurement::isSettled() const
{
    return !m_mapping.isRunning() && !m_lining.isRunning() && !m_computing.isRunning();
}

} // namespace headscope::ui
