#pragma once

#include "ui/views/compare_content.h"
#include "ui/views/page.h"

#include <QTimer>

class QComboBox;
class QLineEdit;

namespace headscope::ui {

class HeatmapWidget;
class TextLabel;

/// Two sentences, models or snapshots side by side, and what every layer would predict. A cell of
/// A's grid dragged onto B's puts that activation there.
class CompareView : public Page
{
    Q_OBJECT

public:
    explicit CompareView(Session& session, QWidget* parent = nullptr);

    void setModelNames(const QStringList& names); ///< to choose B's from, besides files

    LensGrid& gridA() const { return *m_gridA; }

    LensGrid& gridB() const { return *m_gridB; }

    QLineEdit& sentence() const { return *m_sentence; }

    QComboBox& modelChoice() const { return *m_model; }

    HeatmapWidget& divergence() const { return *m_divergence; }

    const Comparison& comparison() const { return m_meter.comparison(); }

    Figure figure() const override;
    void focusMain() override;
    QString hint() const override;

    bool wantsInspector() const override { return false; }

    bool escape() override; ///< puts a carried cell down

protected:
    void refresh(ChangeSet changes) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QLayout* makeChoices();
    QWidget* makeGrids();
    QLayout* makeBottom();
    void connectWidgets();
    void chooseSentence();
    void chooseModel(const QString& name);
    void pick(HeatmapCell cell);
    void drop(HeatmapCell cell);
    void showComparison();
    QString summary() const;

    ComparisonMeter m_meter;
    QTimer m_pause;
    QLineEdit* m_sentence;
    QComboBox* m_model;
    TextLabel* m_summary;
    LensGrid* m_gridA;
    LensGrid* m_gridB;
    TextLabel* m_divergenceTitle;
    HeatmapWidget* m_divergence;
    std::optional<HeatmapCell> m_picked; ///< of A's grid
};

} // namespace headscope::ui
