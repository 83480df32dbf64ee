#pragma once

#include "ui/pages/causal/causal_content.h"
#include "ui/pages/shared/page.h"

class QLayout;
class QLineEdit;
class QPushButton;
class QStackedWidget;

namespace headscope::ui {

class CausalMap;
class ChoiceBox;
class EmptyState;
class HeadGridWidget;
class SegmentBar;
class StepBar;
class TextLabel;

/// Causal tests on the typed text: heads switched off one by one, activations of one text put into
/// another, and the path of a fact that follows from them.
class CausalPage : public Page
{
    Q_OBJECT

public:
    explicit CausalPage(Session& session, QWidget* parent = nullptr);

    Figure figure() const override;
    void focusMain() override;
    bool isSettled() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;
    QString noNumberWords() const override;
    bool escape() override; ///< stops what is being computed, then frees the chosen cell

    bool wantsInspector() const override { return false; }

    void start(); ///< computes what the present section shows, unless it is there

    const CausalChoice& choice() const { return m_choice; }

    const CausalResults& results() const { return m_results; }

    /// Of what is shown now; null where it is still to be computed.
    const AblationSweep* sweep() const;
    const PatchGrid* grid() const;
    const FactPath* path() const;

    const SweepContent& sweepShown() const { return m_sweep; }

    const ScoreTable& table() const { return *m_table; }

    const ScatterWidget& scatter() const { return *m_scatter; }

    const CausalMap& map() const { return *m_map; }

    QString words() const; ///< beside the map of a patch or a step

protected:
    void refresh(ChangeSet changes) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QLayout* makeTopRow();
    QLayout* makeMetricRow();
    QLayout* makeSettingsRow();
    QWidget* makeHeads();
    QWidget* makeMaps();
    void connectChoices();
    void connectPictures();
    void connectWorker();
    void changed(); ///< a choice: what is shown follows, and is computed where that is quick
    void startIfQuick();
    bool isQuick(const Looking& looking) const;
    QByteArray keyNow() const; ///< empty where nothing can be computed
    bool holds(const QByteArray& key, double before) const;
    void adopt(const CausalResult& result);
    void activate(HeadIndex head);
    void chooseCell(HeatmapCell cell);
    void applyAsChange();
    void refreshAll();
    void refreshControls();
    void refreshTokens();
    void refreshHeads();
    HeadScoreTable scoresShown() const;
    void refreshMaps();
    void refreshStatus();
    void refreshEmptyState();

    CausalChoice m_choice;
    CausalResults m_results;
    QByteArray m_wanted; ///< key of what is being computed
    QByteArray m_tried;  ///< the last that was begun
    QString m_failure;   ///< of m_tried
    double m_share = 0.0;
    TracePtr m_scoring;
    HeadScoreTables m_scores;
    SweepContent m_sweep;

    SegmentBar* m_section;
    SegmentBar* m_metric;
    TextLabel* m_states; ///< instead, of a model that predicts no tokens
    ChoiceBox* m_token;
    ChoiceBox* m_other;
    ChoiceBox* m_position;
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
    QStackedWidget* m_stack;
    HeadGridWidget* m_grid;
    ColourBar* m_legend;
    ScatterWidget* m_scatter;
    TextLabel* m_correlation;
    ScoreTable* m_table;
    StepBar* m_steps;
    CausalMap* m_map;
    ColourBar* m_mapLegend;
    TextLabel* m_title;
    TextLabel* m_words;
    QPushButton* m_apply;
    QPushButton* m_back;
    QPushButton* m_next;
    EmptyState* m_empty;
    HeadScorer m_scorer;
    CausalWorker m_worker;
};

} // namespace headscope::ui
