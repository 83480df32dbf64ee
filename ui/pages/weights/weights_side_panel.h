#pragma once

#include "ui/pages/weights/weight_edit_box.h"
#include "ui/pages/weights/weights_measurement.h"

#include <QWidget>

class QSpinBox;

namespace headscope::ui {

class BarsWidget;
class SegmentBar;
class SpectrumWidget;
class TextLabel;

/// Column beside the map: the selected row or column and its nearest tokens, the edit, and the
/// singular values.
class WeightsSidePanel : public QWidget
{
    Q_OBJECT

public:
    explicit WeightsSidePanel(QWidget* parent = nullptr);

    /// Shows a matrix; `tokens` are the ids of the sentence, without repetitions.
    void show(const WeightsMeasurement& measurement, const WeightsOptions& options,
              const std::vector<TokenId>& tokens, const LoadedModel& model);

    WeightEditBox& editBox() const { return *m_edit; }

signals:
    void placeChosen(qint64 row, qint64 column);
    void directionChosen(bool isColumn);

private:
    QLayout* makePlace();
    void connectPlace();
    void showPlace(const WeightMatrix& matrix, const WeightsOptions& options);
    void showTokens(const WeightMatrix& matrix, const WeightsOptions& options,
                    const std::vector<TokenId>& tokens, const LoadedModel& model);
    void showLine(const WeightsMeasurement& measurement, const WeightsOptions& options,
                  const LoadedModel& model);
    void choose(qint64 index); ///< Selects a row or column of the token axis.

    WeightMatrix m_matrix;
    WeightsOptions m_options;
    WeightLinePtr m_line;
    TextLabel* m_title;
    SegmentBar* m_direction;
    QSpinBox* m_row;
    QSpinBox* m_column;
    ChoiceBox* m_token;
    TextLabel* m_value;
    TextLabel* m_lineText;
    TextLabel* m_nearTitle;
    BarsWidget* m_near;
    WeightEditBox* m_edit;
    SpectrumWidget* m_spectrum;
    TextLabel* m_spectrumText;
};

} // namespace headscope::ui
