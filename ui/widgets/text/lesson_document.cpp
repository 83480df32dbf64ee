#include "ui/widgets/text/lesson_document.h"

#include "core/base/error.h"
#include "ui/widgets/formula/formula.h"
#include "ui/widgets/formula/formula_latex.h"
#include "ui/widgets/formula/formula_text.h"

#include <QAbstractTextDocumentLayout>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QPainter>
#include <QTextBlock>
#include <QTextCursor>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr int kFormulaObject = QTextFormat::UserObject + 1;
constexpr int kLatex = QTextFormat::UserProperty + 1;
constexpr int kPlace = QTextFormat::UserProperty + 2; // index into m_formulas
constexpr double kDisplayed = 17.0;
constexpr double kSmallest = 12.0;
constexpr double kLine = 1.6; // relative to the type size
// line height for presenting: large type needs less, and space is scarce
constexpr double kPresentedLine = 1.42;
constexpr double kBodySize = 13.0;

double pixelsOf(TextRole role, const Theme& theme)
{
    return theme.font(role).pointSizeF() / theme.font(TextRole::Body).pointSizeF() * kBodySize;
}

/// Extents above and below the baseline.
struct Extent
{
    double above = 0.0;
    double below = 0.0;
};

Extent extentOf(const Math& formula, double pixels, const Theme& theme)
{
    const double below = formulaDescent(formula, pixels, theme);
    return {formulaSize(formula, pixels, theme).height() - below, below};
}

/// The layout centres an object on half the x-height of its font, so the font determines the
/// baseline.
QFont fontForBaseline(const Extent& extent, const QFont& text)
{
    QFont font = text;
    const double wanted = std::max(0.0, 2.0 * (extent.above - extent.below));
    const double own = std::max(1.0, QFontMetricsF(font).xHeight());
    font.setPointSizeF(std::max(1.0, font.pointSizeF() * wanted / own));
    return font;
}

/// Baseline as QTextDocumentLayout computes it for objects in the middle of a line.
double baselineIn(double height, const QTextFormat& format)
{
    return (height + QFontMetrics(format.toCharFormat().font()).xHeight() / 2.0) / 2.0;
}

} // namespace

LessonDocument::LessonDocument(QObject* parent) : QTextDocument(parent)
{
    setDocumentMargin(0);
    setUndoRedoEnabled(false);
    documentLayout()->registerHandler(kFormulaObject, this);
}

void LessonDocument::build(const std::vector<TextBlock>& blocks, const Theme& theme, TextRole role,
                           double width)
{
    m_theme = theme;
    m_role = role;
    m_width = width;
    m_formulas.clear();
    clear();
    setDefaultFont(theme.font(role));
    QTextCursor cursor(this);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (i > 0)
            cursor.insertBlock();
        addBlock(cursor, blocks[i]);
    }
}

void LessonDocument::addBlock(QTextCursor& cursor, const TextBlock& block)
{
    const double size = pixelsOf(m_role, m_theme) * m_theme.scale();
    const bool isItem = block.kind == TextBlock::Kind::Item;
    const bool isFirst = cursor.block() == firstBlock();
    QTextBlockFormat format;
    const double line = m_theme.scale() > 1.3 ? kPresentedLine : kLine;
    format.setLineHeight(line * size, QTextBlockFormat::MinimumHeight);
    format.setTopMargin(isFirst ? 0.0 : isItem ? 0.25 * size : 0.6 * size);
    if (isItem) {
        format.setLeftMargin(1.1 * size);
        format.setTextIndent(-1.1 * size);
        format.setTabPositions({QTextOption::Tab(1.1 * size, QTextOption::LeftTab)});
    }
    cursor.setBlockFormat(format);
    if (isItem) {
        QTextCharFormat bullet;
        bullet.setForeground(m_theme.text3);
        cursor.insertText(QStringLiteral("\u2022\t"), bullet);
    }
    for (const TextSpan& span : block.spans) {
        if (span.kind == TextSpan::Kind::Formula)
            addFormula(cursor, QString::fromStdString(span.text),
                       block.kind == TextBlock::Kind::Formula);
        else
            addSpan(cursor, span);
    }
}

void LessonDocument::addSpan(QTextCursor& cursor, const TextSpan& span)
{
    QTextCharFormat format;
    format.setFont(m_theme.font(m_role));
    format.setForeground(m_theme.text2);
    switch (span.kind) {
    case TextSpan::Kind::Strong:
        format.setFont(m_theme.bold(m_role));
        format.setForeground(m_theme.text);
        break;
    case TextSpan::Kind::Emphasis:
        format.setFontItalic(true);
        break;
    case TextSpan::Kind::Code:
        format.setFontFamilies({QFontDatabase::systemFont(QFontDatabase::FixedFont).family()});
        format.setForeground(m_theme.text);
        format.setBackground(m_theme.masked);
        break;
    case TextSpan::Kind::Link:
        format.setAnchor(true);
        format.setAnchorHref(QString::fromStdString(span.target));
        format.setForeground(m_theme.accent);
        format.setFontUnderline(true);
        break;
    case TextSpan::Kind::Plain:
    case TextSpan::Kind::Formula:
        break;
    }
    cursor.insertText(QString::fromStdString(span.text), format);
}

void LessonDocument::addFormula(QTextCursor& cursor, const QString& latex, bool isDisplayed)
{
    Placed placed{mathOrText(latex), isDisplayed ? kDisplayed : pixelsOf(m_role, m_theme)};
    const auto isWide = [&] {
        return m_width > 0.0 &&
               formulaSize(placed.formula, placed.pixels, m_theme).width() > m_width;
    };
    while (isWide() && placed.pixels > kSmallest)
        placed.pixels = std::max(kSmallest, placed.pixels - 0.5);
    QTextCharFormat format;
    format.setFont(
        fontForBaseline(extentOf(placed.formula, placed.pixels, m_theme), m_theme.font(m_role)));
    format.setObjectType(kFormulaObject);
    format.setVerticalAlignment(QTextCharFormat::AlignMiddle);
    format.setProperty(kLatex, latex);
    format.setProperty(kPlace, static_cast<int>(m_formulas.size()));
    m_formulas.push_back(std::move(placed));
    cursor.insertText(QString(QChar::ObjectReplacementCharacter), format);
}

QSizeF LessonDocument::intrinsicSize(QTextDocument*, int, const QTextFormat& format)
{
    const Placed& placed = m_formulas.at(static_cast<std::size_t>(format.intProperty(kPlace)));
    const Extent extent = extentOf(placed.formula, placed.pixels, m_theme);
    double height = extent.above + extent.below;
    // compensates for rounding
    height += 2.0 * std::max(0.0, extent.above - baselineIn(height, format));
    height += 2.0 * std::max(0.0, extent.below - height + baselineIn(height, format));
    return {formulaSize(placed.formula, placed.pixels, m_theme).width(), height};
}

void LessonDocument::drawObject(QPainter* painter, const QRectF& rect, QTextDocument*, int,
                                const QTextFormat& format)
{
    const Placed& placed = m_formulas.at(static_cast<std::size_t>(format.intProperty(kPlace)));
    const double above = extentOf(placed.formula, placed.pixels, m_theme).above;
    const QPointF origin(rect.x(), rect.y() + baselineIn(rect.height(), format) - above);
    painter->save();
    paintFormula(*painter, origin, placed.formula, placed.pixels, m_theme);
    painter->restore();
}

QString LessonDocument::latexOf(const QTextFormat& format)
{
    return format.stringProperty(kLatex);
}

QString LessonDocument::plainText(int from, int to) const
{
    QString text;
    for (QTextBlock block = findBlock(from); block.isValid() && block.position() < to;
         block = block.next()) {
        if (!text.isEmpty())
            text += QLatin1Char('\n');
        for (auto part = block.begin(); !part.atEnd(); ++part) {
            const QTextFragment fragment = part.fragment();
            const int begin = std::max(from, fragment.position());
            const int end = std::min(to, fragment.position() + fragment.length());
            if (begin >= end)
                continue;
            const QString latex = latexOf(fragment.charFormat());
            text += latex.isEmpty() ? fragment.text().mid(begin - fragment.position(), end - begin)
                                    : QLatin1Char('$') + latex + QLatin1Char('$');
        }
    }
    return text.replace(QStringLiteral("\u2022\t"), QStringLiteral("- "));
}

QString spokenText(const std::vector<TextBlock>& blocks)
{
    QStringList lines;
    for (const TextBlock& block : blocks) {
        QString line;
        for (const TextSpan& span : block.spans) {
            const QString text = QString::fromStdString(span.text);
            line += span.kind == TextSpan::Kind::Formula ? spokenText(mathOrText(text)) : text;
        }
        lines << line;
    }
    return lines.join(QLatin1Char('\n'));
}

std::vector<TextBlock> lessonBlocks(const QString& markdown)
{
    try {
        return parseLessonText(markdown.toStdString());
    } catch (const Error&) {
        return {
            {TextBlock::Kind::Paragraph, {{TextSpan::Kind::Plain, markdown.toStdString(), {}}}}};
    }
}

} // namespace headscope::ui
