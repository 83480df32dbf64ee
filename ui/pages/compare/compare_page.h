#pragma once

#include "ui/pages/compare/compare_content.h"
#include "ui/pages/shared/page.h"

class QComboBox;
class QLayout;
class QLineEdit;

namespace headscope::ui {

class CompareInputs;
class HeatmapWidget;
class TextLabel;

/// Two sentences, models or snapshots side by side, and what every layer would predict. A cell of
/// A's grid dragged onto B's puts that activation there.
class ComparePage : public Page
{
    Q_OBJECT

public:
    explicit ComparePage(Session& session, QWidget* parent = nullptr);
    ~ComparePage() override;

    void setModelNames(const QStringList& names); ///< to choose B's from, besides files

    LensGrid& gridA() const { return *m_gridA; }

    LensGrid& gridB() const { return *m_gridB; }

    QLineEdit& sentence() const;
    QLineEdit& target() const; ///< hidden unless the model writes one
    QComboBox& modelChoice() const;

    HeatmapWidget& divergence() const { return *m_divergence; }

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
    QWidget* makeGrids();
    QLayout* makeBottom();
    void connectWidgets();
    void pick(HeatmapCell cell);
    void drop(HeatmapCell cell);
    void showComparison();
    QString summary() const;

    ComparisonMeter m_meter;
    CompareInputs* m_inputs;
    TextLabel* m_summary;
    LensGrid* m_gridA;
    LensGrid* m_gridB;
    TextLabel* m_divergenceTitle;
    HeatmapWidget* m_divergence;
    std::optional<HeatmapCell> m_picked; ///< of A's grid
};

} // namespace headscope::ui
