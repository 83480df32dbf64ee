#pragma once

#include "ui/views/heads_content.h"
#include "ui/views/page.h"

class QPushButton;

namespace headscope::ui {

class ColourBar;
class EmptyState;
class HeadCard;
class SegmentBar;
class TextLabel;

/// Finds heads by what they do: a map of scores, all heads as a table that can be sorted, and the
/// chosen one in brief. Measured on the text, or on random tokens said twice.
class HeadsView : public Page
{
    Q_OBJECT

public:
    explicit HeadsView(Session& session, QWidget* parent = nullptr);

    const ScoreTable& table() const { return *m_table; }

    const HeadGridWidget& grid() const { return *m_grid; }

    const HeadCard& card() const { return *m_card; }

    const HeadScoreTable& scores() const; ///< of the shown part; empty while nothing is measured

    const ProbePtr& probe() const { return m_probe; }

    QString status() const;

    Figure figure() const override;
    void focusMain() override;
    bool isSettled() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;

    bool wantsInspector() const override { return false; } ///< it has a card of its own

    bool escape() override; ///< stops a probe that is running

protected:
    void refresh(ChangeSet changes) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    int captionsWidth() const;
    QLayout* makeScoreRow();
    QLayout* makeMeasureRow();
    QWidget* makePicture();
    void connectWidgets();
    void connectScorer();
    void measure();
    void choose(HeadScore score);
    void limitGrid();
    void beginWithAScore();
    void refreshAll();
    void refreshEmptyState();
    void refreshTable();
    void refreshCard();
    void refreshStatus();
    HeadIndex selected() const;

    HeadsChoice m_choice;
    SegmentBar* m_score;
    SegmentBar* m_measured;
    SegmentBar* m_part;
    TextLabel* m_status;
    QPushButton* m_cancel;
    HeadGridWidget* m_grid;
    ColourBar* m_legend;
    TextLabel* m_meaning;
    ScoreTable* m_table;
    HeadCard* m_card;
    EmptyState* m_empty = nullptr;
    QWidget* m_picture = nullptr;   ///< map, table and legend
    bool m_chosen = false;          ///< the person, or a session file, said by which score
    std::vector<HeadIndex> m_order; ///< of the table's rows
    TracePtr m_scoring;
    TracePtr m_scored; ///< whose scores m_text are
    HeadScoreTables m_text;
    ProbePtr m_probe;
    std::shared_ptr<const Model> m_probedModel;
    QString m_progress; ///< or why there is no probe
    bool m_cancelled = false;
    HeadScorer m_scorer;
};

} // namespace headscope::ui
