#pragma once

#include "ui/pages/head/distance_content.h"
#include "ui/pages/shared/maps/content_source.h"
#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"

#include <QTimer>

namespace headscope::ui {

class BarsWidget;
class DistanceChart;
class EmptyState;
class HeadGridWidget;
class HeadSquares;
class SegmentBar;
class TextLabel;

/// Attention by distance: curves of one layer's heads, and the mean distance of every head.
class DistancePage : public Page
{
    Q_OBJECT

public:
    explicit DistancePage(Session& session);

    static PageDescriptor descriptor();

    const MeanDistances& distances() const;

    Figure figure() const override;

    bool isSettled() const override
    {
        const bool isMapDone = !m_longDistances.waits() && distances().isDone();
        return !m_curves.waits() && (m_compact || isMapDone);
    }

    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;

    /// Compact: only the chart of the layer, to go beside a map.
    void setCompact(bool compact);

    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;
    QString whyNoNumber() const override;
    bool escape() override;

protected:
    void refresh(ChangeSet changes) override;

private:
    QWidget* makeSide();
    void connectWidgets();
    void chooseHead(int head);
    static QString noteText(const ViewSnapshot& view, const HeadChoice& choice,
                            const DistanceContent& content);
    void refreshChart(const ViewSnapshot& view);
    void refreshEmptyState(const ViewSnapshot& view);
    void computeMore();
    void showDistances(const ViewSnapshot& view);
    void showBars(const ViewSnapshot& view);

    TextLabel* m_title;
    TextLabel* m_note;
    QWidget* m_controls;
    SegmentBar* m_axis;
    HeadSquares* m_squares;
    DistanceChart* m_chart;
    QWidget* m_side = nullptr;
    TextLabel* m_mapTitle = nullptr;
    HeadGridWidget* m_grid = nullptr;
    ColourBar* m_legend = nullptr;
    TextLabel* m_barsTitle = nullptr;
    BarsWidget* m_bars = nullptr;
    EmptyState* m_empty;
    bool m_compact = false;
    QMargins m_margins; ///< while it is not compact
    DistanceOptions m_options;
    MeanDistances m_distances; ///< Of a short text; a long one has m_longDistances.
    QTimer m_more;
    bool m_isLong = false;

    struct CurveKey
    {
        ViewKey view;
        QJsonObject options;
        HeadChoice heads;

        friend bool operator==(const CurveKey&, const CurveKey&) = default;
    };

    ContentSource<MeanDistances, ViewKey> m_longDistances; // these end first: they call this
    ContentSource<DistanceContent, CurveKey> m_curves;
};

} // namespace headscope::ui
