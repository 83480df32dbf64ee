#pragma once

#include "ui/widgets/style/colour_map.h"

#include <QImage>
#include <QRectF>
#include <QStringList>
#include <QWidget>

class QPainter;

namespace headscope::ui {

/// Legend of a colour scale, always with its range.
struct ColourBarContent
{
    ColourScale scale;
    QString title;     ///< Title, such as "Attention weight, fixed scale 0 to 1".
    bool warn = false; ///< True if scaled to this head: a warning dot before the title.
    /// Label of the swatch, such as "hidden by the causal mask"; empty: no swatch.
    QString swatch;
    bool painted = false;    ///< True for a hatched swatch: cells masked by hand.
    bool inlineEnds = false; ///< Numbers to the left and right of the bar, no title.
    QStringList ticks = {};  ///< Texts at the left, middle and right; empty: the scale's numbers.
};

/// Title such as "Attention weight, fixed scale 0 to 1" or "scaled to this head, 0 to 0.61".
QString scaleTitle(const QString& what, const ColourScale& scale, bool perHead);

void paintColourBar(QPainter& painter, QRectF area, const ColourBarContent& content,
                    const Theme& theme);

/// Length of the bar and start of the swatch within `width`, and the minimum width for both with
/// the swatch's label.
struct ColourBarLayout
{
    double bar, swatch, least;
};

ColourBarLayout colourBarLayout(double width, const ColourBarContent& content, const Theme& theme);
void paintHatch(QPainter& painter, QRectF cell, const QColor& colour);

class ColourBar : public QWidget
{
    Q_OBJECT

public:
    explicit ColourBar(QWidget* parent = nullptr);

    void setContent(ColourBarContent content);

    const ColourBarContent& content() const { return m_content; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ColourBarContent m_content;
};

} // namespace headscope::ui
