#pragma once

#include "ui/pages/causal/causal_choice.h"

#include <QWidget>

class QLayout;
class QLineEdit;
class QPushButton;

namespace headscope::ui {

class CausalMeasurement;
class ChoiceBox;
class SegmentBar;
class Session;
class TextLabel;

/// Controls above a causal test: kind of test, metric, replacement, and progress.
class CausalControls : public QWidget
{
    Q_OBJECT

public:
    CausalControls(Session& session, CausalMeasurement& measurement, QWidget* parent = nullptr);

    void refresh();
    void refreshStatus();

private:
    QLayout* makeTopRow();
    QLayout* makeMetricRow();
    QLayout* makeSettingsRow();
    void setUpReplacements();
    void connectBars();
    void connectBoxes();
    void connectRun();
    void follow(ChoiceBox* box, void (*take)(CausalChoice& choice, int data));
    void refreshChoices();
    void refreshVisible();
    void refreshTokens();
    void fillTokens(const GradientTarget& metric);
    void fillPositions();
    void fillSites();
    const CausalChoice& choice() const;

    Session& m_session;
    CausalMeasurement& m_measurement;
    SegmentBar* m_section;
    SegmentBar* m_metric;
    TextLabel* m_states; ///< Text in place of the metric for a model that predicts no tokens.
    ChoiceBox* m_token;
    ChoiceBox* m_other;
    ChoiceBox* m_position;
    QStringList m_positions; ///< Tokens that m_position lists.
    TextLabel* m_minus;
    TextLabel* m_after;
    SegmentBar* m_replacement;
    ChoiceBox* m_score;
    TextLabel* m_scoreCaption;
    QLineEdit* m_corrupted;
    ChoiceBox* m_site;
    QPushButton* m_run;
    QPushButton* m_cancel;
    TextLabel* m_status;
};

} // namespace headscope::ui
