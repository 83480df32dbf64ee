#pragma once

#include "ui/pages/shared/maps/head_map_source.h"
#include "ui/pages/shared/maps/hidden_tokens.h"
#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"
#include "ui/workers/forward/head_scorer.h"

namespace headscope::ui {

class ChoiceBox;
class EmptyState;
class HeadGridWidget;
class LegendMap;
class NextTokenBars;
class PartBar;
class SegmentBar;
class TextLabel;
class VariantBar;

/// All heads at once, and the active one large.
class OverviewPage : public Page
{
    Q_OBJECT

public:
    explicit OverviewPage(Session& session);

    static PageDescriptor descriptor();

    MapKind mapKind() const;
    Figure figure() const override;
    bool isSettled() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;
    bool escape() override; ///< the whole map, then no pinned pair

protected:
    void refresh(ChangeSet changes) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QLayout* makeGridColumn();
    QLayout* makeMapColumn();
    void connectWidgets();
    void refreshGrid(const ViewSnapshot& view);
    bool hasSmallMaps() const;
    void refreshMap(const ViewSnapshot& view);
    void placeGrid();
    void scoreWhenSorted();
    std::optional<HeadScore> sortedBy() const;
    const HeadScoreTable* tableOf(AttentionKind part) const;
    QString toolTipOf(GridCell index) const;

    TextLabel* m_gridCaption;
    PartBar* m_part;
    ChoiceBox* m_sort;
    HeadGridWidget* m_grid;
    NextTokenBars* m_next;
    TextLabel* m_mapTitle;
    VariantBar* m_variant;
    SegmentBar* m_kind;
    LegendMap* m_map;
    EmptyState* m_empty;
    TracePtr m_scoring; ///< last trace given to m_scorer
    TracePtr m_scored;  ///< trace that m_scores belong to
    HeadScoreTablesPtr m_scores;
    HeadScorer m_scorer;
    HiddenThumbnails m_hidden;
    HeadMapSource m_maps; ///< Destroyed first: it calls back into this page.
};

} // namespace headscope::ui
