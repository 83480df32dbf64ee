#pragma once

#include "ui/widgets/charts/lines/timeline.h"
#include "ui/widgets/readable.h"

#include <QWidget>

namespace headscope::ui {

/// Timeline control below the charts with the snapshots of a run, which can be selected, scrubbed
/// and pinned. Left and Right step through them, Home and End go to the first and back to live,
/// Space plays, P pins; a click or a drag goes to the nearest.
class TimelineWidget : public QWidget
{
    Q_OBJECT

public:
    explicit TimelineWidget(QWidget* parent = nullptr);

    void setContent(TimelineContent content);

    const TimelineContent& content() const { return m_content; }

    TimelineLayout layoutNow() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void snapshotChosen(int index);
    void liveWanted();
    void playToggled();
    void pinToggled(int index);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void choose(std::optional<int> index); ///< Selects a snapshot; none: live.
    void chooseNearest(double x);
    void step(int snapshots);
    void describe();
    QString text(int index) const;
    ReadableTable readable() const;

    TimelineContent m_content;
};

} // namespace headscope::ui
