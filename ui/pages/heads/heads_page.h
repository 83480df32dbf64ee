#pragma once

#include "ui/pages/heads/head_measurement.h"
#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"

namespace headscope::ui {

class ColourBar;
class EmptyState;
class HeadsControls;
class HeadsSidePanel;
class HeadGridWidget;
class TextLabel;

/// Finds heads by behaviour: a map by layer or by similarity, a table with each head's role and its
/// scores on the text and on random repeats, and a card of the selected head.
class HeadsPage : public Page
{
    Q_OBJECT

public:
    explicit HeadsPage(Session& session);

    static PageDescriptor descriptor();

    HeadsMeasured measured() const { return m_measurement.measured(); }

    const HeadLikenessPtr& likeness() const { return m_measurement.likeness(); }

    const HeadsChoice& choice() const;

    Figure figure() const override;
    bool isSettled() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;

    bool wantsInspector() const override { return false; } ///< Has its own card.

    bool escape() override; ///< Cancels a survey in progress.

protected:
    void refresh(ChangeSet changes) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeImage();
    void connectMeasurement();
    void connectGrid();
    void connectPlane();
    void connectTable();
    HeadId headOf(GridCell cell) const; ///< Head at a cell, in the shown kind of attention.
    QString toolTipOf(HeadId head) const;
    void activate(HeadId head);
    void openHead();
    void measure();
    void limitGrid();

    void refreshAll();
    void refreshMap();
    void refreshMeaning(const HeadsColumn& column);
    void refreshEmptyState();
    void refreshTable();

    HeadMeasurement m_measurement;
    HeadsControls* m_controls;
    HeadGridWidget* m_grid;
    PointMapWidget* m_plane;
    ColourBar* m_legend;
    TextLabel* m_meaning;
    ScoreTable* m_table;
    HeadsSidePanel* m_side;
    EmptyState* m_empty = nullptr;
    QWidget* m_image = nullptr;  ///< Map, table and legend.
    std::vector<HeadId> m_shown; ///< Heads of the table's rows.
};

} // namespace headscope::ui
