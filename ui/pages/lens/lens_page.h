#pragma once

#include "ui/pages/lens/lens_content.h"
#include "ui/pages/shared/page.h"
#include "ui/workers/training/lens_trainer.h"

class QCheckBox;
class QLayout;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QSpinBox;

namespace headscope::ui {

class EmptyState;
class SegmentBar;
class TextLabel;

/// What every stage of the residual stream would predict: logit lens and tuned lens.
class LensPage : public Page
{
    Q_OBJECT

public:
    explicit LensPage(Session& session, QWidget* parent = nullptr);

    LensGrid& grid() const { return *m_grid; }

    const LensReading& reading() const { return m_meter.reading(); }

    const LensChoice& choice() const { return m_choice; }

    LensPicture picture() const { return {m_meter.reading(), m_shown, m_choice}; }

    BarsWidget& bars() const { return *m_bars; }

    QLineEdit& tokenField() const { return *m_token; }

    SegmentBar& measures() const { return *m_measure; }

    SegmentBar& targets() const { return *m_target; }

    SegmentBar& lenses() const { return *m_lens; }

    QPushButton& trainButton() const { return *m_train; }

    QPushButton& cancelButton() const { return *m_cancel; }

    QSpinBox& steps() const { return *m_steps; }

    EmptyState& emptyState() const { return *m_empty; }

    QString trainingState() const; ///< what stands beside the button
    QString note() const;          ///< what stands beside the target

    Figure figure() const override;
    void focusMain() override;
    bool isSettled() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;
    QString noNumberWords() const override;
    bool escape() override; ///< stops what is being computed or trained

    bool wantsInspector() const override { return false; }

protected:
    void refresh(ChangeSet changes) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QLayout* makeTopRow();
    QLayout* makeMeasureRow();
    QLayout* makeTargetRow();
    QWidget* makeTrainRow();
    QWidget* makeSide();
    QLayout* makeCharts();
    void connectWidgets();
    void connectTarget();
    void connectTrainer();

    void chooseTarget(LensTarget target);
    void chooseTyped();
    void train();
    void activate(HeatmapCell cell);

    void followModel();
    void measure();
    void refreshAll();
    void refreshControls();
    void refreshTarget();
    void refreshTrainRow();
    void refreshSide();
    void showCurrent();
    void refreshEmptyState();
    QString whyEmpty() const;
    HeatmapCell current() const;

    bool modelIsFound() const { return m_foundFor == session().model().model; }

    LensChoice m_choice;
    Looking m_shown; ///< what the reading is of
    Looking m_asked; ///< what the newest job is of
    LensJob m_askedJob;
    TunedLensPtr m_tuned;
    std::shared_ptr<const Model> m_foundFor;  ///< m_tuned was looked for, or is of this
    std::shared_ptr<const Model> m_lookedFor; ///< asked for
    std::string m_tunedPath;
    bool m_keptNow = false;
    int m_visibleRow = -1; ///< that was scrolled to
    QString m_trainNote;   ///< an error, or why a file cannot be used
    QString m_typedNote;
    mutable QString m_whyNoNumber;

    SegmentBar* m_run;
    SegmentBar* m_lens;
    SegmentBar* m_measure;
    QCheckBox* m_halfSteps;
    SegmentBar* m_target;
    QLineEdit* m_token;
    TextLabel* m_note;
    QWidget* m_trainRow;
    QSpinBox* m_steps;
    QPushButton* m_train;
    QPushButton* m_cancel;
    QProgressBar* m_bar;
    TextLabel* m_state;
    QScrollArea* m_scroll;
    LensGrid* m_grid;
    TextLabel* m_title;
    BarsWidget* m_bars;
    TextLabel* m_numbers;
    ColourBar* m_legend;
    LineChart* m_charts[3];
    EmptyState* m_empty;
    LensMeter m_meter;
    LensTrainer m_trainer; // its thread ends before the rest
};

} // namespace headscope::ui
