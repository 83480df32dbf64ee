#pragma once

#include "ui/pages/arcs/arcs_content.h"
#include "ui/pages/shared/maps/attributed_source.h"
#include "ui/pages/shared/maps/content_source.h"
#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"

class QCheckBox;
class QToolButton;

namespace headscope::ui {

class ArcsPanel;
class ArcsWidget;
class EmptyState;
class Hairline;
class HeadSquares;
class MapKindBox;
class NamedSlider;
class PartBar;
class TextLabel;
class VariantBar;

/// Attention as arcs between two columns of tokens, several heads in colour.
class ArcsPage : public Page
{
    Q_OBJECT

public:
    explicit ArcsPage(Session& session);

    static PageDescriptor descriptor();

    Figure figure() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;
    QString whyNoNumber() const override;

    bool wantsInspector() const override { return false; } ///< Has its own panel.

    bool isSettled() const override { return !m_source.waits() && !m_plot.waits(); }

    bool escape() override;

protected:
    void refresh(ChangeSet changes) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QLayout* makeHeadRow();
    QLayout* makeCoverRow();
    void connectWidgets();
    void refreshPlot(const ViewSnapshot& view);
    ArcsContent contentOf(const ViewSnapshot& view);
    void refreshLayers(const ViewSnapshot& view);
    void refreshSpecial(const ViewSnapshot& view);
    void refreshEmptyState(const ViewSnapshot& view);
    void moveLayer(int step);
    void pin(ArcEnd end);
    void switchOff(int head);
    void placePanel();

    ArcsOptions m_options;
    QToolButton* m_previous;
    QToolButton* m_layer;
    QToolButton* m_next;
    HeadSquares* m_squares;
    PartBar* m_part;
    VariantBar* m_variant;
    NamedSlider* m_mass;
    QCheckBox* m_hideSpecial;
    QCheckBox* m_hideFirst;
    ArcsWidget* m_arcs;
    TextLabel* m_counts;
    Hairline* m_line;
    ArcsPanel* m_panel;
    EmptyState* m_empty;
    MapKindBox* m_kind;
    AttributedSource m_source; // These two are destroyed first: they call back into this page.

    struct PlotKey
    {
        ViewKey view;
        TokenPair pair; ///< Selected pair if it is pinned.
        QJsonObject options;
        AttributedRunPtr runA, runB;

        friend bool operator==(const PlotKey&, const PlotKey&) = default;
    };

    ContentSource<ArcsContent, PlotKey> m_plot;
};

} // namespace headscope::ui
