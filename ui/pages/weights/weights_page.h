#pragma once

#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"
#include "ui/pages/weights/weights_measurement.h"

class QScrollArea;

namespace headscope::ui {

class ChoiceBox;
class EmptyState;
class LegendMap;
class SegmentBar;
class TextLabel;
class VariantBar;
class WeightsSidePanel;

/// Every weight matrix of the model as a map, with its singular values and any row or column, and
/// edits of it, which make B.
class WeightsPage : public Page
{
    Q_OBJECT

public:
    explicit WeightsPage(Session& session);

    static PageDescriptor descriptor();

    void chooseMatrix(const QString& name);
    void choosePlace(qint64 row, qint64 column);
    void apply(const WeightEdit& edit); ///< Adds an edit to the changes of B.

    Figure figure() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    QString whyNoNumber() const override;
    bool isSettled() const override;
    bool escape() override;

    bool wantsInspector() const override { return false; }

protected:
    void refresh(ChangeSet changes) override;

private:
    QLayout* makeControls();
    QLayout* makeBody();
    void connectControls();
    void connectMap();
    void refreshBoxes();
    void refreshShown();
    std::vector<TokenId> sentenceTokens() const;

    WeightsOptions m_options;
    std::vector<WeightMatrix> m_matrices; ///< Those offered.
    ChoiceBox* m_part;
    ChoiceBox* m_matrix;
    SegmentBar* m_extent;
    VariantBar* m_variant;
    TextLabel* m_text;
    LegendMap* m_map;
    WeightsSidePanel* m_side;
    QScrollArea* m_scroll;
    EmptyState* m_empty;
    WeightsMeasurement m_measurement; // ends first: its answers use the widgets
};

} // namespace headscope::ui
