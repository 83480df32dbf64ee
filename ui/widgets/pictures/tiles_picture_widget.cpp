// Blocks on the screen: the canvas with its keys, the slider and the button that plays.
#include "ui/widgets/controls/slider.h"
#include "ui/widgets/pictures/tiles_picture.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kEveryMs = 450;

} // namespace

TilesCanvas::TilesCanvas(const QString& accessibleName, QWidget* parent)
    : PlacesWidget(accessibleName, parent)
{
}

void TilesCanvas::setContent(const LabTiles& tiles)
{
    m_tiles = tiles;
    m_done = std::min(m_done, static_cast<int>(tiles.tiles.size()));
    setDone(m_done);
}

void TilesCanvas::setDone(int done)
{
    m_done = std::clamp(done, 0, static_cast<int>(m_tiles.tiles.size()));
    contentChanged(m_done > 0 ? describeTile(m_tiles, m_done - 1) : tr("nothing is done yet"));
    setCurrent(m_done > 0 ? std::optional(static_cast<std::size_t>(m_done - 1)) : std::nullopt);
}

std::vector<PicturePlace> TilesCanvas::makePlaces(const QRectF& area, const Theme& theme) const
{
    const TilesLayout layout(area, m_tiles, theme);
    std::vector<PicturePlace> places;
    for (int index = 0; index < static_cast<int>(m_tiles.tiles.size()); ++index) {
        const LabTiles::Tile& tile = m_tiles.tiles[static_cast<std::size_t>(index)];
        places.push_back({layout.cell(tile.row, tile.column), describeTile(m_tiles, index)});
    }
    return places;
}

void TilesCanvas::paintAll(QPainter& painter, const QRectF& area, const Theme& theme) const
{
    paintTiles(painter, area, m_tiles, m_done, theme);
}

void TilesCanvas::keyPressEvent(QKeyEvent* event)
{
    if (event->modifiers().testFlag(Qt::ControlModifier))
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Up:
        return emit doneWanted(m_done - 1);
    case Qt::Key_Right:
    case Qt::Key_Down:
        return emit doneWanted(m_done + 1);
    case Qt::Key_Home:
        return emit doneWanted(0);
    case Qt::Key_End:
        return emit doneWanted(static_cast<int>(m_tiles.tiles.size()));
    case Qt::Key_Space:
        return emit playWanted();
    default:
        QWidget::keyPressEvent(event);
    }
}

void TilesCanvas::mousePressEvent(QMouseEvent* event)
{
    const auto& all = places();
    for (std::size_t index = 0; index < all.size(); ++index)
        if (all[index].rect.contains(event->position()))
            return emit doneWanted(static_cast<int>(index) + 1);
    QWidget::mousePressEvent(event);
}

TilesPicture::TilesPicture(const QString& accessibleName, QWidget* parent)
    : QWidget(parent)
    , m_canvas(new TilesCanvas(accessibleName, this))
    , m_slider(new NamedSlider(tr("Step"), {}, Role::Plain, this))
    , m_play(new QPushButton(this))
{
    m_slider->setInline({}, {});
    m_slider->setAccessibleName(tr("Steps that are done"));
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(m_play);
    row->addWidget(m_slider, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_canvas, 1);
    column->addLayout(row);
    setFocusProxy(m_canvas);
    m_timer.setInterval(kEveryMs);
    connect(&m_timer, &QTimer::timeout, this, &TilesPicture::step);
    connect(m_canvas, &TilesCanvas::doneWanted, this, [this](int done) {
        pause();
        setDone(done);
    });
    const auto toggle = [this] { isPlaying() ? pause() : play(); };
    connect(m_canvas, &TilesCanvas::playWanted, this, toggle);
    connect(m_play, &QPushButton::clicked, this, toggle);
    connect(m_slider, &NamedSlider::numberChanged, this, [this](double value) {
        pause();
        setDone(static_cast<int>(value));
    });
    showPlaying();
}

void TilesPicture::setContent(const LabTiles& tiles)
{
    const bool wasAtEnd = done() == steps();
    m_canvas->setContent(tiles);
    const int last = std::max(steps(), 1);
    const QSignalBlocker quiet(m_slider);
    m_slider->setScale({0.0, static_cast<double>(last), last, false, 1.0, 0});
    setDone(wasAtEnd ? steps() : done());
}

void TilesPicture::setDone(int done)
{
    m_canvas->setDone(done);
    {
        const QSignalBlocker quiet(m_slider);
        m_slider->setNumber(m_canvas->done());
    }
    emit doneChanged(m_canvas->done());
}

void TilesPicture::play()
{
    if (done() >= steps())
        setDone(0);
    m_timer.start();
    showPlaying();
}

void TilesPicture::pause()
{
    m_timer.stop();
    showPlaying();
}

void TilesPicture::step()
{
    setDone(done() + 1);
    if (done() >= steps())
        pause();
}

void TilesPicture::showPlaying()
{
    m_play->setText(isPlaying() ? tr("Pause") : tr("Play"));
    m_play->setAccessibleName(isPlaying() ? tr("Pause the steps") : tr("Play the steps"));
}

void TilesPicture::hideEvent(QHideEvent* event)
{
    pause();
    QWidget::hideEvent(event);
}

} // namespace headscope::ui
