#pragma once

#include "ui/pages/heads/heads_content.h"
#include "ui/pages/shared/page.h"

#include <QTimer>

class QPushButton;

namespace headscope::ui {

class ChoiceBox;
class ColourBar;
class EmptyState;
class HeadCard;
struct HeadCardContent;
class HeadGridWidget;
class SegmentBar;
class TextLabel;

/// Finds heads by what they do: a map by layer or by likeness, a table with what each head does and
/// its score on the text and on random repeats, and the chosen one in brief. Texts are scored as
/// they are typed; a model is surveyed once, beside that.
class HeadsPage : public Page
{
    Q_OBJECT

public:
    explicit HeadsPage(Session& session, QWidget* parent = nullptr);

    const ScoreTable& table() const { return *m_table; }

    const HeadGridWidget& grid() const { return *m_grid; }

    const PointMapWidget& plane() const { return *m_plane; }

    const HeadCard& card() const { return *m_card; }

    HeadsMeasured measured() const; ///< of the shown part

    const HeadSurveyPtr& survey() const { return m_surveyed.survey; }

    const HeadLikenessPtr& likeness() const { return m_likeness; }

    const HeadsChoice& choice() const { return m_choice; }

    QString status() const;

    Figure figure() const override;
    void focusMain() override;
    bool isSettled() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;

    bool wantsInspector() const override { return false; } ///< it has a card of its own

    bool escape() override; ///< stops a survey that is running

protected:
    void refresh(ChangeSet changes) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    int captionsWidth() const;
    QLayout* makeScoreRow();
    QLayout* makeMeasureRow();
    QWidget* makePicture();
    void fillScores();
    void connectChoices();
    void connectHeads();
    void connectCard();
    void connectScorer();
    QString toolTipOf(HeadIndex index) const;

    void measure();
    void askForScores();
    void compareText();
    void readWeights();
    void startSurvey();
    void stopSurvey();
    void choose(HeadScore score);
    void chooseColumn(int column);
    void limitGrid();
    void beginWithAScore();

    void refreshAll();
    void refreshChoices();
    void refreshMap();
    void refreshEmptyState();
    void refreshTable();
    void refreshCard();
    void refreshStatus();
    void fillEvidence(HeadCardContent& card) const;
    void fillScoreSheet(HeadCardContent& card) const;
    void fillTokenSheet(HeadCardContent& card) const;
    void fillWeightSheet(HeadCardContent& card) const;
    void openHead();
    const HeadLabel* chosenLabel() const;
    HeadIndex selected() const;
    std::pair<TracePtr, TracePtr> wantedTraces() const;
    HeadFamily family() const;

    HeadsChoice m_choice;
    ChoiceBox* m_score;
    ChoiceBox* m_label;
    ChoiceBox* m_top;
    SegmentBar* m_measured;
    SegmentBar* m_pictures;
    SegmentBar* m_run;
    SegmentBar* m_part;
    TextLabel* m_status;
    QPushButton* m_cancel;
    HeadGridWidget* m_grid;
    PointMapWidget* m_plane;
    ColourBar* m_legend;
    TextLabel* m_meaning;
    ScoreTable* m_table;
    HeadCard* m_card;
    EmptyState* m_empty = nullptr;
    QWidget* m_picture = nullptr; ///< map, table and legend
    bool m_chosen = false;        ///< the person, or a session file, said by which score
    std::vector<HeadAt> m_shown;  ///< of the table's rows
    int m_evidence = -1;          ///< label of the selected head whose evidence the card shows
    HeadIndex m_evidenceOf;
    std::pair<TracePtr, TracePtr> m_scoring; ///< of A too while B−A is shown
    ScoredText m_text;
    SurveyedModel m_surveyed;
    std::shared_ptr<const Model> m_surveying; ///< what the survey was asked for last
    double m_progress = 0.0;
    QString m_problem; ///< why there is no survey
    HeadLikenessPtr m_likeness;
    std::pair<TracePtr, HeadFamily> m_comparing;
    HeadWeightsPtr m_weights;
    std::shared_ptr<const Model> m_weightsOf;
    QTimer m_later; ///< a survey waits until models stop changing, as they do in training
    HeadScorer m_scorer;
};

} // namespace headscope::ui
