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

/// Two sentences, models or snapshots side by side, and what every layer would predict. A cell of
/// A's grid dragged onto B's puts that activation there.
class ComparePage : public Page
{
    Q_OBJECT

public:
    explicit ComparePage(Session& session, QWidget* parent = nullptr);
    ~ComparePage() override;

    static PageDescriptor descriptor();

    void setModelNames(const QStringList& names); ///< to choose B's from, besides files

    QLineEdit& sentence() const;
    QLineEdit& target() const; ///< hidden unless the model writes one
    HeatmapWidget& divergence() const;

    const Comparison& comparison() const { return m_meter.comparison(); }

    Figure figure() const override;
    void focusMain() override;

    bool isSettled() const override { return !m_meter.isMeasuring(); }

    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;
    QString noNumberWords() const override;

    bool wantsInspector() const override { return false; }

    bool escape() override; ///< puts a carried cell down

protected:
    void refresh(ChangeSet changes) override;
    void keyPressEvent(QKeyEvent* event) override;

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
