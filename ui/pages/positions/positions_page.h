#pragma once

#include "ui/pages/positions/positions_content.h"
#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"

#include <QTimer>

class QStackedWidget;

namespace headscope::ui {

class FormulaWidget;
class PositionsPlot;
class RelativePanel;
class RotationsPanel;
class SegmentBar;
class TableControls;

/// Page about token order: sliders, waves, matrix, similarity, rotations. Works without a model;
/// shows the learned position embeddings of the loaded one if it has any.
class PositionsPage : public Page
{
    Q_OBJECT

public:
    explicit PositionsPage(Session& session);

    static PageDescriptor descriptor();

    Figure figure() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;
    QString whyNoNumber() const override;

    void focusMain() override;

    bool wantsInspector() const override { return false; }

    void setModel(const LoadedModel& model); ///< Makes its learned position embeddings available.
    void setScheme(Positions scheme);
    void setReducedMotion(bool reduced) override; ///< 2 positions per second in place of 8.
    void setPosition(int position);
    void setOffset(int offset);
    void setDimensions(int dimensions);
    void setBase(double base);

    const PositionsContent& content() const { return m_content; }

public slots:
    void toggleSlide(); ///< Moves p to the last position, then stops.
    void reset();

signals:
    void painted(double elapsedMs);
    void contentChanged();

protected:
    void refresh(ChangeSet changes) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* makeTop();
    void connectControls();
    void rebuildTable();
    void showContent();
    void showText();
    void step();

    PositionsContent m_content;
    int m_dimensions = 64; ///< Width of the sinusoidal encoding.
    PositionTable m_learned;
    QString m_modelName;
    /// Scheme chosen by the user or a session file; none: the model's.
    std::optional<Positions> m_wanted;
    QTimer m_slide;

    QStackedWidget* m_images = nullptr;
    RelativePanel* m_relative = nullptr;
    SegmentBar* m_schemes = nullptr;
    FormulaWidget* m_formula = nullptr;
    TableControls* m_controls = nullptr;
    PositionsPlot* m_plot = nullptr;
    RotationsPanel* m_rotations = nullptr;
};

} // namespace headscope::ui
