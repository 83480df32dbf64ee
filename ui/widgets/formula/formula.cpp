#include "ui/widgets/formula/formula.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kScriptScale = 0.72;
constexpr double kSmallestScript = 11.0;
constexpr double kFractionScale = 0.86;

/// Extents above and below the baseline.
struct Box
{
    double width = 0.0;
    double ascent = 0.0;
    double descent = 0.0;
};

double scriptSize(double pixels)
{
    return std::max(std::min(kSmallestScript, pixels), pixels * kScriptScale);
}

QFont fontOf(const MathNode& node, double pixels, const Theme& theme)
{
    QFont font = theme.formulaFont(pixels, node.italic);
    font.setBold(node.bold || node.tone == MathNode::Tone::Lit);
    return font;
}

QColor inkOf(const MathNode& node, const Theme& theme)
{
    if (node.tone == MathNode::Tone::Plain)
        return node.role == Role::Plain ? theme.text : roleColour(node.role, theme);
    return node.tone == MathNode::Tone::Lit ? theme.accent : theme.text3;
}

/// Width of bars, root signs and brackets.
double strokeOf(const MathNode& node, double plain)
{
    return node.tone == MathNode::Tone::Lit ? plain + 1.0 : plain;
}

/// Height of fraction bars and minus signs above the baseline.
double axisHeight(double pixels, const Theme& theme)
{
    return 0.30 * pixels * theme.scale();
}

Box measure(const Math& node, double pixels, const Theme& theme);

Box measureRow(const MathNode& node, double pixels, const Theme& theme)
{
    Box row;
    for (const Math& part : node.parts) {
        const Box box = measure(part, pixels, theme);
        row.width += box.width;
        row.ascent = std::max(row.ascent, box.ascent);
        row.descent = std::max(row.descent, box.descent);
    }
    return row;
}

double raise(const Box& base, const Box& script)
{
    return std::max(base.ascent * 0.52, base.ascent - script.ascent * 0.45);
}

double lowering(const Box& base, const Box& script)
{
    return std::max(base.descent * 0.6, script.ascent * 0.45);
}

Box measureScripts(const MathNode& node, double pixels, const Theme& theme)
{
    Box box = measure(node.parts[0], pixels, theme);
    const Box base = box;
    const double size = scriptSize(pixels);
    if (node.parts[1]) {
        const Box script = measure(node.parts[1], size, theme);
        box.ascent = std::max(box.ascent, raise(base, script) + script.ascent);
        box.width = base.width + script.width + 1.0;
    }
    if (node.parts[2]) {
        const Box script = measure(node.parts[2], size, theme);
        box.descent = std::max(box.descent, lowering(base, script) + script.descent);
        box.width = std::max(box.width, base.width + script.width + 1.0);
    }
    return box;
}

Box measureFraction(const MathNode& node, double pixels, const Theme& theme)
{
    const Box over = measure(node.parts[0], pixels * kFractionScale, theme);
    const Box under = measure(node.parts[1], pixels * kFractionScale, theme);
    const double axis = axisHeight(pixels, theme);
    return {std::max(over.width, under.width) + 8.0, axis + 3.0 + over.ascent + over.descent,
            std::max(0.0, 3.0 - axis + under.ascent + under.descent)};
}

constexpr double kFenceWidth = 0.36;

bool isTall(const Box& inside, double size)
{
    return inside.ascent > 0.95 * size || inside.descent > 0.45 * size;
}

double bracketWidth(const QString& bracket, bool tall, double pixels, const Theme& theme)
{
    if (bracket == QLatin1String("."))
        return 0.0;
    return tall ? kFenceWidth * pixels * theme.scale()
                : QFontMetricsF(theme.formulaFont(pixels, false)).horizontalAdvance(bracket);
}

Box measureFence(const MathNode& node, double pixels, const Theme& theme)
{
    Box box = measure(node.parts[0], pixels, theme);
    const bool tall = isTall(box, pixels * theme.scale());
    box.width += bracketWidth(node.characters, tall, pixels, theme) +
                 bracketWidth(node.closing, tall, pixels, theme);
    box.ascent = std::max(box.ascent, 0.80 * pixels * theme.scale());
    box.descent = std::max(box.descent, 0.22 * pixels * theme.scale());
    return box;
}

Box measure(const Math& node, double pixels, const Theme& theme)
{
    const double size = pixels * theme.scale();
    switch (node->kind) {
    case MathNode::Kind::Text: {
        const QFontMetricsF metrics(fontOf(*node, pixels, theme));
        return {metrics.horizontalAdvance(node->characters), 0.80 * size, 0.22 * size};
    }
    case MathNode::Kind::Row:
        return measureRow(*node, pixels, theme);
    case MathNode::Kind::Scripts:
        return measureScripts(*node, pixels, theme);
    case MathNode::Kind::Fraction:
        return measureFraction(*node, pixels, theme);
    case MathNode::Kind::Root: {
        const Box inner = measure(node->parts[0], pixels, theme);
        return {inner.width + 0.62 * size, inner.ascent + 4.0, inner.descent};
    }
    case MathNode::Kind::Fenced:
        return measureFence(*node, pixels, theme);
    case MathNode::Kind::Space:
        break;
    }
    return {node->em * size, 0.0, 0.0};
}

/// Draws with the baseline starting at `at`.
void draw(QPainter& painter, QPointF at, const Math& node, double pixels, const Theme& theme);

void drawFraction(QPainter& painter, QPointF at, const MathNode& node, double pixels,
                  const Theme& theme)
{
    const double small = pixels * kFractionScale;
    const Box whole = measureFraction(node, pixels, theme);
    const Box over = measure(node.parts[0], small, theme);
    const Box under = measure(node.parts[1], small, theme);
    const double axis = at.y() - axisHeight(pixels, theme);
    const double bar = strokeOf(node, 1.0);
    painter.fillRect(QRectF(at.x() + 1.0, axis - bar / 2.0, whole.width - 2.0, bar),
                     inkOf(node, theme));
    draw(painter, {at.x() + (whole.width - over.width) / 2.0, axis - 3.0 - over.descent},
         node.parts[0], small, theme);
    draw(painter, {at.x() + (whole.width - under.width) / 2.0, axis + 3.0 + under.ascent},
         node.parts[1], small, theme);
}

void drawRoot(QPainter& painter, QPointF at, const MathNode& node, double pixels,
              const Theme& theme)
{
    const Box inner = measure(node.parts[0], pixels, theme);
    const double hook = 0.56 * pixels * theme.scale();
    const double top = at.y() - inner.ascent - 1.5;
    const double bottom = at.y() + inner.descent * 0.6;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(
        QPen(inkOf(node, theme), strokeOf(node, 1.2), Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(
        QPolygonF({QPointF(at.x() + 0.5, at.y() - inner.ascent * 0.38),
                   QPointF(at.x() + hook * 0.28, at.y() - inner.ascent * 0.46),
                   QPointF(at.x() + hook * 0.58, bottom), QPointF(at.x() + hook, top),
                   QPointF(at.x() + hook + inner.width + 2.0, top)}));
    painter.restore();
    draw(painter, {at.x() + hook + 1.0, at.y()}, node.parts[0], pixels, theme);
}

void drawScripts(QPainter& painter, QPointF at, const MathNode& node, double pixels,
                 const Theme& theme)
{
    const Box base = measure(node.parts[0], pixels, theme);
    const double size = scriptSize(pixels);
    draw(painter, at, node.parts[0], pixels, theme);
    const double x = at.x() + base.width + 1.0;
    if (node.parts[1])
        draw(painter, {x, at.y() - raise(base, measure(node.parts[1], size, theme))}, node.parts[1],
             size, theme);
    if (node.parts[2])
        draw(painter, {x, at.y() + lowering(base, measure(node.parts[2], size, theme))},
             node.parts[2], size, theme);
}

/// Left bracket in `box`; the right one is its mirror image.
QPainterPath bracketPath(QChar bracket, const QRectF& box)
{
    const double middle = box.center().y();
    QPainterPath path(box.topRight());
    switch (bracket.unicode()) {
    case '[':
        path.lineTo(box.topLeft());
        path.lineTo(box.bottomLeft());
        path.lineTo(box.bottomRight());
        break;
    case '{':
        path.quadTo({box.center().x(), box.top()}, {box.center().x(), box.top() + 5.0});
        path.lineTo(box.center().x(), middle - 4.0);
        path.quadTo({box.center().x(), middle}, {box.left(), middle});
        path.quadTo({box.center().x(), middle}, {box.center().x(), middle + 4.0});
        path.lineTo(box.center().x(), box.bottom() - 5.0);
        path.quadTo({box.center().x(), box.bottom()}, box.bottomRight());
        break;
    case '(':
        path.cubicTo({box.left() - box.width() * 0.3, box.top() + box.height() * 0.28},
                     {box.left() - box.width() * 0.3, box.bottom() - box.height() * 0.28},
                     box.bottomRight());
        break;
    default: // single and double bars
        path.moveTo(box.center().x(), box.top());
        path.lineTo(box.center().x(), box.bottom());
    }
    return path;
}

QChar opening(QChar bracket)
{
    const QString closing = QStringLiteral(")]}");
    const qsizetype at = closing.indexOf(bracket);
    return at < 0 ? bracket : QStringLiteral("([{")[at];
}

void drawBracket(QPainter& painter, const QRectF& box, const QString& bracket, bool isLeft,
                 const QPen& pen)
{
    QPainterPath path = bracketPath(opening(bracket[0]), box);
    if (!isLeft)
        path = QTransform(-1, 0, 0, 1, 2.0 * box.center().x(), 0).map(path);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    painter.restore();
}

void drawText(QPainter& painter, QPointF at, const QString& text, const QFont& font,
              const QColor& ink)
{
    painter.setFont(font);
    painter.setPen(ink);
    painter.drawText(at, text);
}

/// Line under the characters of a highlighted node.
void underline(QPainter& painter, QPointF at, const MathNode& node, const Box& box,
               const Theme& theme)
{
    if (node.tone == MathNode::Tone::Lit && !node.characters.trimmed().isEmpty())
        painter.fillRect(QRectF(at.x(), at.y() + box.descent + 1.0, box.width, 2.0), theme.accent);
}

void drawFence(QPainter& painter, QPointF at, const MathNode& node, double pixels,
               const Theme& theme)
{
    const Box inside = measure(node.parts[0], pixels, theme);
    const bool tall = isTall(inside, pixels * theme.scale());
    const QPen pen(inkOf(node, theme), 1.2, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin);
    const auto bracket = [&](const QString& which, bool isLeft) {
        const double width = bracketWidth(which, tall, pixels, theme);
        if (width > 0.0 && tall)
            drawBracket(painter,
                        QRectF(at.x() + width * 0.25, at.y() - inside.ascent + 1.0, width * 0.5,
                               inside.ascent + inside.descent - 2.0),
                        which, isLeft, pen);
        else if (width > 0.0)
            drawText(painter, at, which, theme.formulaFont(pixels, false), pen.color());
        at.rx() += width;
    };
    bracket(node.characters, true);
    draw(painter, at, node.parts[0], pixels, theme);
    at.rx() += inside.width;
    bracket(node.closing, false);
}

void draw(QPainter& painter, QPointF at, const Math& node, double pixels, const Theme& theme)
{
    switch (node->kind) {
    case MathNode::Kind::Text:
        drawText(painter, at, node->characters, fontOf(*node, pixels, theme), inkOf(*node, theme));
        underline(painter, at, *node, measure(node, pixels, theme), theme);
        break;
    case MathNode::Kind::Row:
        for (const Math& part : node->parts) {
            draw(painter, at, part, pixels, theme);
            at.rx() += measure(part, pixels, theme).width;
        }
        break;
    case MathNode::Kind::Scripts:
        drawScripts(painter, at, *node, pixels, theme);
        break;
    case MathNode::Kind::Fraction:
        drawFraction(painter, at, *node, pixels, theme);
        break;
    case MathNode::Kind::Root:
        drawRoot(painter, at, *node, pixels, theme);
        break;
    case MathNode::Kind::Fenced:
        drawFence(painter, at, *node, pixels, theme);
        break;
    case MathNode::Kind::Space:
        break;
    }
}

} // namespace

QSizeF formulaSize(const Math& formula, double pixels, const Theme& theme)
{
    if (!formula)
        return {};
    const Box box = measure(formula, pixels, theme);
    return {box.width, box.ascent + box.descent};
}

double fittingPixels(const Math& formula, double pixels, double width, const Theme& theme)
{
    constexpr double kSmallest = 4.0;
    while (pixels > kSmallest && formulaSize(formula, pixels, theme).width() > width)
        pixels -= 1.0;
    return pixels;
}

double formulaDescent(const Math& formula, double pixels, const Theme& theme)
{
    return formula ? measure(formula, pixels, theme).descent : 0.0;
}

double paintFormula(QPainter& painter, QPointF origin, const Math& formula, double pixels,
                    const Theme& theme)
{
    if (!formula)
        return origin.y();
    const double baseline = origin.y() + measure(formula, pixels, theme).ascent;
    draw(painter, {origin.x(), baseline}, formula, pixels, theme);
    return baseline;
}

} // namespace headscope::ui
