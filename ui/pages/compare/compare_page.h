#pragma once

#include "ui/pages/compare/compare_content.h"
#include "ui/pages/shared/page.h"

#include <QTimer>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace headscope::ui {

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

    QLineEdit& sentence() const { return *m_sentence; }

    QLineEdit& target() const { return *m_target; } ///< hidden unless the model writes one

    QComboBox& modelChoice() const { return *m_model; }

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
    QLayout* makeChoices();
    QWidget* makeGrids();
    QLayout* makeBottom();
    void connectWidgets();
    void connectChoices();
    void chooseTexts();
    void chooseFile();
    void refreshChoices();
    void refreshModels();
    void chooseModel(const QString& name);
    void pick(HeatmapCell cell);
    void drop(HeatmapCell cell);
    void showComparison();
    QString summary() const;

    ComparisonMeter m_meter;
    QTimer m_pause;
    QLineEdit* m_sentence;
    TextLabel* m_targetTitle;
    QLineEdit* m_target;
    QComboBox* m_model;
    QPushButton* m_file;
    QStringList m_names; ///< offered, besides snapshots
    QStringList m_snapshots;
    TextLabel* m_summary;
    LensGrid* m_gridA;
    LensGrid* m_gridB;
    TextLabel* m_divergenceTitle;
    HeatmapWidget* m_divergence;
    std::optional<HeatmapCell> m_picked; ///< of A's grid
};

} // namespace headscope::ui
