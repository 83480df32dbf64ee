#pragma once

#include "ui/pages/flow/flow_content.h"

#include <QWidget>

class QCheckBox;
class QLayout;

namespace headscope::ui {

class NamedSlider;
class SegmentBar;
class Session;
class TextLabel;
class VariantBar;

/// Controls above the graph: variant, edge weight, threshold for hidden edges, and the count of
/// drawn edges.
class FlowControls : public QWidget
{
    Q_OBJECT

public:
    explicit FlowControls(Session& session, QWidget* parent = nullptr);

    void restore(const FlowOptions& options);
    void refresh(const FlowOptions& options);
    void showCount(const FlowContent& content);
    void showWaiting();
    void showProgress(double fraction);

signals:
    void modeChosen(headscope::ui::FlowMode mode);
    void measureChosen(headscope::ContributionMeasure measure);
    void thresholdChosen(double threshold);
    void renormaliseChosen(bool on);

private:
    QLayout* makeTopRow();
    QLayout* makeOptionsRow();
    void setUpModes();
    void setUpThreshold();
    void connectWidgets();

    Session& m_session;
    SegmentBar* m_part;
    VariantBar* m_variant;
    SegmentBar* m_mode;
    SegmentBar* m_measure;
    NamedSlider* m_threshold;
    QCheckBox* m_renormalise;
    TextLabel* m_count;
};

} // namespace headscope::ui
