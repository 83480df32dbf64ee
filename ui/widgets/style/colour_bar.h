#pragma once

#include "ui/widgets/style/colour_map.h"

#include <QImage>
#include <QRectF>
#include <QStringList>
#include <QWidget>

class QPainter;

namespace headscope::ui {

/// A colour scale in words: never without its range.
struct ColourBarContent
{
    ColourScale scale;
    QString title;           ///< "Attention weight, fixed scale 0 to 1"
    bool warn = false;       ///< scaled to this head: a warn dot before the title
    QString swatch;          ///< "hidden by the causal mask"; empty: no swatch
    bool painted = false;    ///< the swatch is hatched: cells masked by hand
    bool inlineEnds = false; ///< numbers left and right of the bar, no title
    QStringList ticks = {};  ///< left, middle, right in words; empty: the scale's numbers
};

/// "Attention weight, fixed scale 0 to 1" or "scaled to this head, 0 to 0.61".
QString scaleTitle(const QString& what, const ColourScale& scale, bool perHead);

void paintColourBar(QPainter& painter, QRectF area, const ColourBarContent& content,
                    const Theme& theme);

/// Inside `width`: length of the bar, where the swatch begins, and the least width that holds both
/// and the swatch's words.
struct ColourBarPlaces
{
    double bar, swatch, least;
};

ColourBarPlaces colourBarPlaces(double width, const ColourBarContent& content, const Theme& theme);
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
