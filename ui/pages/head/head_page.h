#pragma once

#include "ui/pages/shared/figures/head_figure.h"
#include "ui/pages/shared/maps/attributed_source.h"
#include "ui/pages/shared/maps/head_map_source.h"
#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"

class QBoxLayout;
class QCheckBox;
class QPushButton;

namespace headscope::ui {

class EmptyState;
class LegendMap;
class MapKindBox;
class PartBar;
class SegmentBar;
class TextLabel;
class VariantBar;

/// One head in full: every weight, the sum of each row and what each key receives.
class HeadPage : public Page
{
    Q_OBJECT

public:
    explicit HeadPage(Session& session);

    static PageDescriptor descriptor();

    /// Another view, to the right of the map and this wide; null or hidden: none.
    void setSide(QWidget* side, int width);

    Figure figure() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;
    QString whyNoNumber() const override;

    bool isSettled() const override { return !m_source.waits() && !m_maps.waits(); }

    bool escape() override; ///< the whole map, then no pinned pair

protected:
    void refresh(ChangeSet changes) override;

private:
    QLayout* makeControls();
    QLayout* makeReadOutRow();
    void connectWidgets();
    void refreshMap();
    void refreshScales();
    void refreshReadOut(std::optional<HeatmapCell> cell);
    void refreshSinkReadOut(std::optional<int> row);
    QStringList notesOnMap() const;
    QString meaningText(HeatmapCell cell) const;
    void refreshZoom();
    void refreshEmptyState();

    HeadOptions m_options;
    MapWithLegend m_shown;
    TextLabel* m_readOut;
    PartBar* m_part;
    VariantBar* m_variant;
    MapKindBox* m_kind;
    SegmentBar* m_scale;
    QCheckBox* m_sums;
    QPushButton* m_wholeMap;
    LegendMap* m_map;
    QBoxLayout* m_row; ///< the map and what is beside it
    EmptyState* m_empty;
    AttributedSource m_source; // these two end first: they call this
    HeadMapSource m_maps;
};

} // namespace headscope::ui
