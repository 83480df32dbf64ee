#pragma once

#include "core/lessons/labs/lab_picture.h"
#include "ui/widgets/pictures/picture_places.h"

#include <QTimer>

class QPushButton;

namespace headscope::ui {

class NamedSlider;

/// Where the blocks of a matrix lie, and beside them what the present one says.
class TilesLayout
{
public:
    TilesLayout(QRectF area, const LabTiles& tiles, const Theme& theme);

    QRectF cell(int row, int column) const;

    QRectF grid() const { return m_grid; }

    QRectF words() const { return m_words; }

    QRectF legend() const { return m_legend; }

private:
    QRectF m_grid, m_words, m_legend;
    double m_edge = 0.0;
};

QSizeF tilesSize(const LabTiles& tiles, const Theme& theme);

/// `done` blocks are done, the last of them is the present one.
void paintTiles(QPainter& painter, const QRectF& area, const LabTiles& tiles, int done,
                const Theme& theme);

/// "step 3 of 16, block of queries 0, block of keys 2: merges; running maximum 1.41".
QString describeTile(const LabTiles& tiles, int index);

/// The blocks alone: Left and Right step, Home and End go to the first and last, Space plays.
class TilesCanvas : public PlacesWidget
{
    Q_OBJECT

public:
    explicit TilesCanvas(const QString& accessibleName, QWidget* parent = nullptr);

    void setContent(const LabTiles& tiles);
    void setDone(int done);

    int done() const { return m_done; }

    const LabTiles& content() const { return m_tiles; }

signals:
    void doneWanted(int done);
    void playWanted();

protected:
    std::vector<PicturePlace> makePlaces(const QRectF& area, const Theme& theme) const override;
    void paintAll(QPainter& painter, const QRectF& area, const Theme& theme) const override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    LabTiles m_tiles;
    int m_done = 0;
};

/// Blocks with a slider over the steps and a button that plays them.
class TilesPicture : public QWidget
{
    Q_OBJECT

public:
    explicit TilesPicture(const QString& accessibleName, QWidget* parent = nullptr);

    void setContent(const LabTiles& tiles); ///< keeps the step where there is one
    void setDone(int done);                 ///< 0: before the first block

    int done() const { return m_canvas->done(); }

    int steps() const { return static_cast<int>(m_canvas->content().tiles.size()); }

    bool isPlaying() const { return m_timer.isActive(); }

    void play();
    void pause();

    TilesCanvas& canvas() { return *m_canvas; }

    NamedSlider& slider() { return *m_slider; }

signals:
    void doneChanged(int done);

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
