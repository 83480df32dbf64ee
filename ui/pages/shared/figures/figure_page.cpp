#include "ui/pages/shared/figures/figure_page.h"

#include "core/base/error.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kMargin = 24.0;
constexpr double kNarrowest = 480.0; ///< Room for a title and part of the sentence.
constexpr int kLargestSide = 16384;  ///< Maximum side in device pixels.
constexpr double kLargestScale = 8.0;
constexpr int kSentenceLines = 3;
constexpr int kDotsPerInch = 96;
/// The smallest letter spacing makes Qt disable ligatures, so that a PDF's "off" is found as typed.
constexpr double kNoLigatures = 1.0 / 64.0;
constexpr int kWrap = Qt::TextWordWrap | Qt::TextWrapAnywhere;

Theme themeOf(const FigureStyle& style)
{
    if (qobject_cast<QApplication*>(QCoreApplication::instance()) == nullptr)
        throw Error("figures need a QApplication", "figure");
    QFont font = bodyFont();
    font.setLetterSpacing(QFont::AbsoluteSpacing, kNoLigatures);
    return Theme::named(style.dark, font);
}

void setDotsPerInch(QImage& image, double dots)
{
    const int perMetre = static_cast<int>(std::lround(dots / 0.0254));
    image.setDotsPerMeterX(perMetre);
    image.setDotsPerMeterY(perMetre);
}

void requireDrawable(QSize size, double scale)
{
    if (!(scale > 0.0) || scale > kLargestScale)
        throw Error(fmt::format("invalid scale {}", scale), "figure",
                    "Choose one above 0, at most 8");
    const double side = std::max(size.width(), size.height()) * std::max(scale, 1.0);
    if (!(side <= kLargestSide))
        throw Error(fmt::format("a figure of {} x {} pixels at scale {} is too large", size.width(),
                                size.height(), scale),
                    "figure", fmt::format("Keep both sides below {} pixels", kLargestSide));
}

double heightOf(const QString& text, const QFont& font, double width)
{
    if (text.isEmpty())
        return 0.0;
    const QRectF room(0, 0, width, 1e6);
    return std::ceil(QFontMetricsF(font).boundingRect(room, kWrap, text).height());
}

/// At most a few lines; the full sentence is in the metadata.
QString quoted(const QString& sentence, const QFont& font, double width)
{
    if (sentence.isEmpty())
        return {};
    const QFontMetricsF metrics(font);
    const QString text = QStringLiteral("\u201C%1\u201D").arg(sentence.left(2000));
    const double most = kSentenceLines * metrics.lineSpacing() + 1.0;
    if (heightOf(text, font, width) <= most)
        return text;
    return metrics.elidedText(text, Qt::ElideRight, (kSentenceLines - 0.5) * width);
}

void drawWrapped(QPainter& painter, const QRectF& area, const QFont& font, const QColor& colour,
                 const QString& text)
{
    painter.setFont(font);
    painter.setPen(colour);
    painter.drawText(area, Qt::AlignLeft | Qt::AlignTop | kWrap, text);
}

/// Multiples of 4 pixels are whole points, as PDF pages require.
int wholePoints(double pixels)
{
    return static_cast<int>(std::ceil(pixels / 4.0)) * 4;
}

} // namespace

FigurePage::FigurePage(const Figure& figure, const FigureStyle& style)
    : m_figure(figure)
    , m_theme(themeOf(style))
    , m_hasCaption(style.caption && !figure.caption.isEmpty())
{
    if (!figure.paint || !figure.size)
        throw Error("there is nothing to export", "figure", "Run a text through a model first");
    const QSizeF wanted = figure.size(m_theme);
    const double width = style.size.isEmpty()
                             ? std::max(wanted.width(), kNarrowest * m_theme.scale())
                             : style.size.width() - 2.0 * kMargin;
    const double header = headerHeight(width);
    const double caption = captionHeight(width);
    m_size = style.size.isEmpty()
                 ? QSize(wholePoints(width + 2.0 * kMargin),
                         wholePoints(header + wanted.height() + caption + 2.0 * kMargin))
                 : style.size;
    requireDrawable(m_size, style.scale);
    const double room = m_size.height() - header - caption - 2.0 * kMargin;
    if (width < 1.0 || room < 1.0)
        throw Error(fmt::format("a figure of {} x {} pixels has no room for the drawing",
                                m_size.width(), m_size.height()),
                    "figure", "Choose a larger size");
    m_header = QRectF(kMargin, kMargin, width, header);
    m_body = style.size.isEmpty() ? QRectF({kMargin, kMargin + header}, wanted)
                                  : QRectF(kMargin, kMargin + header, width, room);
    m_caption = QRectF(kMargin, m_size.height() - kMargin - caption, width, caption);
}

double FigurePage::headerHeight(double width) const
{
    const double gap = 4.0 * m_theme.scale();
    const QFont small = m_theme.font(TextRole::Caption);
    double height = heightOf(m_figure.title, m_theme.font(TextRole::Heading), width);
    for (const QString& line : {m_figure.subtitle, quoted(m_figure.sentence, small, width)})
        height += line.isEmpty() ? 0.0 : gap + heightOf(line, small, width);
    return height + 16.0 * m_theme.scale();
}

double FigurePage::captionHeight(double width) const
{
    if (!m_hasCaption)
        return 0.0;
    return heightOf(m_figure.caption, m_theme.font(TextRole::Body), width) + 16.0 * m_theme.scale();
}

void FigurePage::paintHeader(QPainter& painter) const
{
    const double gap = 4.0 * m_theme.scale();
    const QFont heading = m_theme.font(TextRole::Heading);
    const QFont small = m_theme.font(TextRole::Caption);
    QRectF rest = m_header;
    drawWrapped(painter, rest, heading, m_theme.text, m_figure.title);
    rest.setTop(rest.top() + heightOf(m_figure.title, heading, rest.width()));
    for (const QString& line :
         {m_figure.subtitle, quoted(m_figure.sentence, small, rest.width())}) {
        if (line.isEmpty())
            continue;
        rest.setTop(rest.top() + gap);
        drawWrapped(painter, rest, small, m_theme.text2, line);
        rest.setTop(rest.top() + heightOf(line, small, rest.width()));
    }
}

void FigurePage::paintCaption(QPainter& painter) const
{
    const QRectF area = m_caption.adjusted(0, 16.0 * m_theme.scale(), 0, 0);
    drawWrapped(painter, area, m_theme.font(TextRole::Body), m_theme.text, m_figure.caption);
}

void FigurePage::paint(QPainter& painter, const FigureTarget& target) const
{
    const QRectF page(QPointF(0, 0), QSizeF(m_size));
    painter.fillRect(page.adjusted(-1, -1, 1, 1), m_theme.surface); // Sizes in mm are rounded.
    paintHeader(painter);
    painter.save();
    m_figure.paint(painter, m_body, m_theme, target);
    painter.restore();
    if (m_hasCaption)
        paintCaption(painter);
}

QImage FigurePage::image(double scale) const
{
    QImage image((QSizeF(m_size) * scale).toSize(), QImage::Format_RGB32);
    if (image.isNull())
        throw Error("not enough memory for a figure of this size", "figure",
                    "Choose a smaller size");
    setDotsPerInch(image, kDotsPerInch); // The ratio enlarges type; a resolution would again.
    image.setDevicePixelRatio(scale);
    image.fill(m_theme.surface);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::TextAntialiasing);
    paint(painter, {false, scale});
    painter.end();
    setDotsPerInch(image, kDotsPerInch * scale);
    return image;
}

QImage figureImage(const Figure& figure, const FigureStyle& style)
{
    return FigurePage(figure, style).image(style.scale);
}

} // namespace headscope::ui
