#pragma once

#include "ui/pages/compare/compare_content.h"
#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"

class QLineEdit;

namespace headscope::ui {

class ComparedGrids;
class HeatmapWidget;
class ModelOfB;
class MovedAttention;
class TextLabel;
class TextsOfB;

/// Two sentences, models or snapshots side by side, with each layer's prediction. Dragging a cell
/// of A's grid onto B's patches that activation into B.
class ComparePage : public Page
{
    Q_OBJECT

public:
    explicit ComparePage(Session& session, QWidget* parent = nullptr);
    ~ComparePage() override;

    static PageDescriptor descriptor();

    void setModelNames(const QStringList& names); ///< Built-in models offered for B, besides files.

    QLineEdit& sentence() const;
    QLineEdit& target() const; ///< Hidden unless the model generates a target.
    HeatmapWidget& divergence() const;

    const Comparison& comparison() const { return m_meter.comparison(); }

    Figure figure() const override;
    void focusMain() override;

    bool isSettled() const override { return !m_meter.isMeasuring(); }

    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;
    QString whyNoNumber() const override;

    bool wantsInspector() const override { return false; }

    bool escape() override; ///< Drops a carried cell.

protected:
    void refresh(ChangeSet changes) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void patch(HeatmapCell cellOfA, HeatmapCell cellOfB);
    void showComparison();
    QString summary() const;

    ComparisonMeter m_meter;
    TextsOfB* m_texts;
    ModelOfB* m_model;
    TextLabel* m_summary;
    ComparedGrids* m_grids;
    MovedAttention* m_moved;
};

} // namespace headscope::ui
