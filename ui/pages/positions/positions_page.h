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

/// The page about the order of tokens: sliders, waves, table, similarity, rotations. Works without
/// a model; shows the learned table of the loaded one when it has one.
class PositionsPage : public Page
{
    Q_OBJECT

public:
    explicit PositionsPage(Session& session, QWidget* parent = nullptr);

    static PageDescriptor descriptor();

    Figure figure() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;
    QString noNumberWords() const override;

    void focusMain() override;

    bool wantsInspector() const override { return false; }

    void setModel(const LoadedModel& model); ///< its learned table becomes available
    void setScheme(Positions scheme);
    void setReducedMotion(bool reduced) override; ///< 2 positions a second instead of 8
    void setPosition(int position);
    void setOffset(int offset);
    void setDimensions(int dimensions);
    void setBase(double base);

    const PositionsContent& content() const { return m_content; }

    double rotationError() const;

public slots:
    void toggleSlide(); ///< p runs to the last position, then stops
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
    void showWords();
    void step();

    PositionsContent m_content;
    int m_dimensions = 64; ///< of the sinusoidal table
    PositionTable m_learned;
    QString m_modelName;
    std::optional<Positions> m_wanted; ///< by a person or a session file; else the model's
    QTimer m_slide;

    QStackedWidget* m_pictures = nullptr;
    RelativePanel* m_relative = nullptr;
    SegmentBar* m_schemes = nullptr;
    FormulaWidget* m_formula = nullptr;
    TableControls* m_controls = nullptr;
    PositionsPlot* m_plot = nullptr;
    RotationsPanel* m_rotations = nullptr;
};

} // namespace headscope::ui
