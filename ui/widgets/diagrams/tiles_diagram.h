#pragma once

#include "ui/widgets/diagrams/tiles_canvas.h"

#include <QTimer>
#include <QWidget>

class QPushButton;

namespace headscope::ui {

class NamedSlider;

/// Blocks with a slider over the steps and a play button.
class TilesDiagram : public QWidget
{
    Q_OBJECT

public:
    explicit TilesDiagram(const QString& accessibleName);

    void setContent(const LabTiles& tiles); ///< Sets the content and keeps the step if it exists.
    void setDone(int done); ///< Sets the number of computed blocks; 0: before the first.

    int done() const { return m_canvas->done(); }

    int steps() const { return static_cast<int>(m_canvas->content().tiles.size()); }

    bool isPlaying() const { return m_timer.isActive(); }

    void play();
    void pause();

protected:
    void hideEvent(QHideEvent* event) override;

private:
    void step();
    void showPlaying();

    TilesCanvas* m_canvas;
    NamedSlider* m_slider;
    QPushButton* m_play;
    QTimer m_timer;
};

} // namespace headscope::ui
