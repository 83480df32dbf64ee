#include "ui/widgets/diagrams/tiles_diagram.h"

#include "ui/widgets/controls/slider.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kEveryMs = 450;

} // namespace

TilesDiagram::TilesDiagram(const QString& accessibleName)
    : m_canvas(new TilesCanvas(accessibleName, this))
    , m_slider(new NamedSlider(tr("Step"), {}, Role::Plain, this))
    , m_play(new QPushButton(this))
{
    m_slider->setInline({}, {});
    m_slider->setAccessibleName(tr("Completed steps"));
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
    connect(&m_timer, &QTimer::timeout, this, &TilesDiagram::step);
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

void TilesDiagram::setContent(const LabTiles& tiles)
{
    const bool wasAtEnd = done() == steps();
    m_canvas->setContent(tiles);
    const int last = std::max(steps(), 1);
    const QSignalBlocker quiet(m_slider);
    m_slider->setScale({0.0, static_cast<double>(last), last, false, 1.0, 0});
    setDone(wasAtEnd ? steps() : done());
}

void TilesDiagram::setDone(int done)
{
    m_canvas->setDone(done);
    const QSignalBlocker quiet(m_slider);
    m_slider->setNumber(m_canvas->done());
}

void TilesDiagram::play()
{
    if (done() >= steps())
        setDone(0);
    m_timer.start();
    showPlaying();
}

void TilesDiagram::pause()
{
    m_timer.stop();
    showPlaying();
}

void TilesDiagram::step()
{
    setDone(done() + 1);
    if (done() >= steps())
        pause();
}

void TilesDiagram::showPlaying()
{
    m_play->setText(isPlaying() ? tr("Pause") : tr("Play"));
    m_play->setAccessibleName(isPlaying() ? tr("Pause the steps") : tr("Play the steps"));
}

void TilesDiagram::hideEvent(QHideEvent* event)
{
    pause();
    QWidget::hideEvent(event);
}

} // namespace headscope::ui
