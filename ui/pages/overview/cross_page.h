#pragma once

#include "ui/pages/overview/cross_content.h"
#include "ui/pages/shared/maps/hidden_tokens.h"
#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"

class QLayout;

namespace headscope::ui {

class AlignmentWidget;
class BarsWidget;
class EmptyState;
class HeadGridWidget;
class LegendMap;
class SegmentBar;
class TextLabel;
class VariantBar;

/// Alignment of an encoder-decoder: the source token that each target token attends to.
class CrossPage : public Page
{
    Q_OBJECT

public:
    explicit CrossPage(Session& session);

    static PageDescriptor descriptor();

    Figure figure() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;
    bool escape() override;

    bool wantsInspector() const override { return false; }

protected:
    void refresh(ChangeSet changes) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QLayout* makeTopRow();
    QLayout* makeBody();
    void connectWidgets();
    void refreshGrid(const ViewSnapshot& view);
    void refreshTexts();
    void refreshEmptyState(const ViewSnapshot& view);
    void choose(int row, std::optional<int> column);
    void openExample();

    CrossOptions m_options;
    CrossContent m_content;

    VariantBar* m_variant;
    SegmentBar* m_of;
    TextLabel* m_source;
    AlignmentWidget* m_ribbons;
    TextLabel* m_count;
    TextLabel* m_sentence;
    LegendMap* m_map;
    HeadGridWidget* m_grid;
    HiddenThumbnails m_hidden;
    QWidget* m_side = nullptr;
    BarsWidget* m_bars;
    EmptyState* m_empty;
};

} // namespace headscope::ui
