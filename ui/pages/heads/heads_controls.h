#pragma once

#include "ui/pages/heads/heads_content.h"

#include <QWidget>

class QLayout;
class QPushButton;

namespace headscope::ui {

class ChoiceBox;
class HeadMeasurement;
class PartBar;
class SegmentBar;
class Session;
class TextLabel;
class VariantBar;

/// Controls above the heads: ranking score, data it is measured on, filters, and progress.
class HeadsControls : public QWidget
{
    Q_OBJECT

public:
    HeadsControls(Session& session, HeadMeasurement& measurement, QWidget* parent = nullptr);

    const HeadsChoice& choice() const { return m_choice; }

    /// Whether the user or a session file chose the score; otherwise it follows the text.
    bool isScoreChosen() const { return m_isScoreChosen; }

    void setChoice(const HeadsChoice& choice, bool isScoreChosen);

    /// Sorts by this column of the table, or reverses the order of the current one.
    void chooseColumn(int column);

    /// Default score: induction, or on a text without repeats one that is defined.
    void followText();

    void refresh();
    void refreshStatus();

signals:
    void choiceChanged();

private:
    int captionsWidth() const;
    void fillScores();
    QLayout* makeScoreRow();
    QLayout* makeMeasureRow();
    QLayout* makeRunRow();
    void connectFilters();
    void connectMeasuring();
    void choose(HeadScore score);
    void refreshChoices();
    void refreshLabels();

    Session& m_session;
    HeadMeasurement& m_measurement;
    HeadsChoice m_choice;
    bool m_isScoreChosen = false;
    ChoiceBox* m_score;
    ChoiceBox* m_label;
    ChoiceBox* m_top;
    SegmentBar* m_measured;
    SegmentBar* m_images;
    VariantBar* m_variant;
    PartBar* m_part;
    TextLabel* m_status;
    QPushButton* m_cancel;
};

} // namespace headscope::ui
