#include "ui/widgets/text/code_lines.h"

#include "ui/widgets/style/theme.h"

#include <QEvent>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui {

namespace {

constexpr double kLine = 20.0;
constexpr double kGap = 12.0;
constexpr double kPadding = 6.0;

} // namespace

CodeLines::CodeLines(const QString& accessibleName) : DrawnWidget(Items::Column, accessibleName)
{
    setSizePolicy(QSizePolicy::MinimumExpanding, QSizePolicy::Fixed);
}

void CodeLines::setLines(std::vector<CodeLine> lines, const QString& comment)
{
    m_lines = std::move(lines);
    m_comment = comment;
    m_chosen.reset();
    itemsChanged(std::nullopt);
    updateGeometry();
    update();
}

void CodeLines::setChosen(std::optional<int> line)
{
    m_chosen = line && *line >= 0 && *line < itemCount() ? line : std::nullopt;
    setCurrentItem(m_chosen);
    update();
}

QFont CodeLines::codeFont() const
{
    QFont font = Theme::of(*this).font(TextRole::Caption);
    font.setFamily(QFontDatabase::systemFont(QFontDatabase::FixedFont).family());
    return font;
}

double CodeLines::margin() const
{
    const QFontMetricsF metrics(Theme::of(*this).font(TextRole::Caption));
    double widest = 0.0;
    for (const CodeLine& line : m_lines)
        widest = std::max(widest, metrics.horizontalAdvance(line.shape));
    return std::ceil(widest + kPadding + kGap);
}

QRectF CodeLines::lineRect(int line) const
{
    const double height = std::round(kLine * Theme::of(*this).scale());
    return {0.0, line * height, static_cast<double>(width()), height};
}

QSize CodeLines::sizeHint() const
{
    const QFontMetricsF metrics(codeFont());
    double widest = 0.0;
    for (const CodeLine& line : m_lines)
        widest = std::max(widest, metrics.horizontalAdvance(line.code));
    return {static_cast<int>(std::ceil(margin() + widest + kPadding)),
            static_cast<int>(lineRect(itemCount()).top())};
}

QString CodeLines::itemText(int line) const
{
    const CodeLine& shown = m_lines[static_cast<std::size_t>(line)];
    if (shown.code.trimmed().isEmpty())
        return tr("empty line");
    return shown.shape.isEmpty() ? shown.code.trimmed()
                                 : tr("%1, shape %2").arg(shown.code.trimmed(), shown.shape);
}

void CodeLines::goToItem(int line)
{
    DrawnWidget::goToItem(line);
    m_chosen = line;
    update();
    emit lineChosen(line);
}

bool CodeLines::pressKey(const QKeyEvent& event)
{
    if (m_lines.empty() || (event.key() != Qt::Key_Home && event.key() != Qt::Key_End))
        return false;
    goToItem(event.key() == Qt::Key_Home ? 0 : itemCount() - 1);
    return true;
}

void CodeLines::paintLine(QPainter& painter, int line, const Theme& theme) const
{
    const CodeLine& shown = m_lines[static_cast<std::size_t>(line)];
    const QRectF rect = lineRect(line);
    const double left = margin();
    if (m_chosen == line) {
        painter.fillRect(rect, theme.soft);
        if (hasFocus())
            painter.fillRect(QRectF(rect.x(), rect.y(), 3.0, rect.height()), theme.accent);
    }
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.text3);
    painter.drawText(QRectF(rect.x(), rect.y(), left - kGap, rect.height()),
                     Qt::AlignRight | Qt::AlignVCenter, shown.shape);
    const qsizetype at = shown.code.indexOf(m_comment);
    const QString code = at < 0 ? shown.code : shown.code.left(at);
    painter.setFont(codeFont());
    painter.setPen(shown.computes ? theme.text : theme.text2);
    const QRectF room = rect.adjusted(left, 0.0, 0.0, 0.0);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, code);
    if (at < 0)
        return;
    painter.setPen(theme.text3);
    const double used = QFontMetricsF(codeFont()).horizontalAdvance(code);
    painter.drawText(room.adjusted(used, 0.0, 0.0, 0.0), Qt::AlignLeft | Qt::AlignVCenter,
                     shown.code.mid(at));
}

void CodeLines::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme theme = Theme::of(*this);
    for (int line = 0; line < itemCount(); ++line)
        paintLine(painter, line, theme);
}

void CodeLines::changeEvent(QEvent* event)
{
    DrawnWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        updateGeometry();
}

} // namespace headscope::ui
