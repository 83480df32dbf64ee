#pragma once

#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"
#include "ui/widgets/heatmap/heatmap_widget.h"

class QPushButton;
class QSpinBox;

namespace headscope::ui {

class EmptyState;
class MaskAsTrained;
class TextLabel;

/// Visible cells, with the number of visible keys beside each row.
class MaskMap : public HeatmapWidget
{
    Q_OBJECT

public:
    explicit MaskMap(QWidget* parent = nullptr);

    void showMask(HeatmapContent content);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit(); ///< Leaves room for the numbers.

    std::vector<int> m_counts;
};

/// Mask of A and of B, and the effect of another mask on the active head.
class MaskPage : public Page
{
    Q_OBJECT

public:
    explicit MaskPage(Session& session);

    static PageDescriptor descriptor();

    Figure figure() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;

    bool wantsInspector() const override { return false; }

protected:
    void refresh(ChangeSet changes) override;

private:
    struct Pane
    {
        TextLabel* words = nullptr;
        TextLabel* counted = nullptr;
        MaskMap* map = nullptr;
    };

    struct Offer
    {
        QPushButton* button = nullptr;
        TextLabel* effect = nullptr;
        MaskChange::Kind kind = MaskChange::Kind::None;
    };

    QLayout* makePane(Pane& pane, const QString& letter, const QString& name);
    QLayout* makeOffers();
    MaybeNumber cellNumberOf(const Pane& pane, HeatmapCell cell) const;
    void refreshPane(Pane& pane, HeatmapContent content);
    void refreshOffers();
    void refreshEffect();

    Pane m_a;
    Pane m_b;
    MaskAsTrained* m_asTrained;
    EmptyState* m_empty;
    std::vector<Offer> m_offers;
    QSpinBox* m_window = nullptr;
    TextLabel* m_head = nullptr;
    TextLabel* m_removed = nullptr;
    TextLabel* m_removedWords = nullptr;
};

} // namespace headscope::ui
