#pragma once

#include "ui/views/map_content.h"
#include "ui/views/page.h"

namespace headscope::ui {

class EmptyState;
class HeadGridWidget;
class HeatmapWidget;
class LegendMap;
class SegmentBar;
class TextLabel;

/// All heads at once, and the active one large.
class OverviewView : public Page
{
    Q_OBJECT

public:
    explicit OverviewView(Session& session, QWidget* parent = nullptr);

    const HeatmapWidget& map() const;

    const HeadGridWidget& grid() const { return *m_grid; }

    MapKind mapKind() const;
    void focusMain() override;

signals:
    void sampleWanted(); ///< the button of the empty page

protected:
    void refresh(ChangeSet changes) override;

private:
    QLayout* makeGridColumn();
    QLayout* makeMapColumn();
    void connectWidgets();
    void refreshGrid();
    void refreshMap();
    void refreshEmptyState();

    TextLabel* m_gridCaption;
    HeadGridWidget* m_grid;
    SegmentBar* m_run;
    SegmentBar* m_kind;
    LegendMap* m_map;
    EmptyState* m_empty;
};

} // namespace headscope::ui
