#pragma once

#include "ui/pages/lens/lens_measurement.h"
#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"

class QCheckBox;
class QLayout;
class QScrollArea;

namespace headscope::ui {

class EmptyState;
class LensCellPanel;
class LensCharts;
class LensTargetRow;
class LensTrainingPanel;
class SegmentBar;
class VariantBar;

/// Prediction at every stage of the residual stream: logit lens and tuned lens.
class LensPage : public Page
{
    Q_OBJECT

public:
    explicit LensPage(Session& session);

    static PageDescriptor descriptor();

    const LensReading& reading() const { return *m_measurement.reading(); }

    LensReadout readout() const
    {
        return {m_measurement.reading(), m_measurement.shown(), m_choice};
    }

    Figure figure() const override;
    bool isSettled() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;
    QString whyNoNumber() const override;
    bool escape() override; ///< Cancels the reading or training in progress.

    bool wantsInspector() const override { return false; }

protected:
    void refresh(ChangeSet changes) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QLayout* makeTopRow();
    QLayout* makeMeasureRow();
    QLayout* makeBody();
    void connectChoices();
    void connectMeasurement();
    void connectParts();

    void chooseTarget(LensTarget target);
    void followBar(int place);
    void activate(HeatmapCell cell);

    void measure();
    void refreshAll();
    void refreshControls();
    void refreshHalfSteps();
    void refreshGrid();
    void refreshTarget();
    void refreshCell();
    void showCurrent();
    void refreshEmptyState();
    QString whyEmpty() const;
    HeatmapCell current() const;

    LensChoice m_choice;
    LensMeasurement m_measurement;
    int m_visibleRow = -1; ///< Row that was scrolled into view.
    mutable QString m_whyNoNumber;

    VariantBar* m_variant;
    SegmentBar* m_lens;
    SegmentBar* m_measure;
    QCheckBox* m_halfSteps;
    LensTargetRow* m_target;
    LensTrainingPanel* m_training;
    QScrollArea* m_scroll;
    LensGrid* m_grid;
    LensCellPanel* m_cell = nullptr;
    LensCharts* m_charts = nullptr;
    EmptyState* m_empty = nullptr;
};

} // namespace headscope::ui
