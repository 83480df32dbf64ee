#include "ui/widgets/diagrams/token_rows_diagram.h"

#include "ui/widgets/tr.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr double kChip = 42.0; ///< Height of a chip with token and id.
constexpr double kChipGap = 4.0;
constexpr double kLineGap = 6.0;
constexpr double kRowGap = 14.0;
constexpr double kWords = 20.0;
constexpr double kPadding = 8.0;
constexpr double kWidestToken = 220.0;

QString fromText(const std::string& text)
{
    return QString::fromStdString(text);
}

QString idOf(const LabTokens::Token& token)
{
    return token.id < 0 ? QString() : QString::number(token.id);
}

double widthOf(const LabTokens::Token& token, const QFontMetricsF& text, const QFontMetricsF& small,
               double scale)
{
    const double widest = std::max(text.horizontalAdvance(fromText(token.text).left(200)),
                                   small.horizontalAdvance(idOf(token)));
    return std::clamp(widest + 2.0 * kPadding, 24.0, kWidestToken * scale);
}

void paintChip(QPainter& painter, const QRectF& place, const LabTokens::Token& token,
               const Theme& theme)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(token.isNew ? theme.accent : theme.line2, token.isNew ? 2.0 : 1.0));
    painter.setBrush(token.isNew ? theme.soft : theme.surface);
    painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setBrush(Qt::NoBrush);
    const double middle = token.id < 0 ? place.height() : place.height() * 0.58;
    const QRectF text(place.x() + 3, place.y(), place.width() - 6, middle);
    painter.setFont(token.isNew ? theme.bold(TextRole::StripToken)
                                : theme.font(TextRole::StripToken));
    painter.setPen(theme.text);
    painter.drawText(text, Qt::AlignCenter | Qt::TextSingleLine,
                     QFontMetricsF(painter.font())
                         .elidedText(fromText(token.text).left(200), Qt::ElideRight, text.width()));
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.text3);
    painter.drawText(
        QRectF(text.x(), place.y() + middle - 3, text.width(), place.height() - middle),
        Qt::AlignCenter | Qt::TextSingleLine, idOf(token));
}

} // namespace

TokenRowsLayout::TokenRowsLayout(QRectF area, const LabTokens& tokens, const Theme& theme)
{
    const double scale = theme.scale();
    double y = area.y();
    for (std::size_t row = 0; row < tokens.rows.size(); ++row) {
        const double left = area.bottom() - y;
        const auto rest = static_cast<double>(tokens.rows.size() - row);
        const double least = (kWords + kChip + kRowGap) * scale;
        // Every row gets at least one line; long rows share the remaining ones.
        const double most = std::max(left - (rest - 1.0) * least, least);
        y = placeRow(row, {area.x(), y, area.width(), most}, tokens, theme) + kRowGap * scale;
    }
    m_height = y - area.y();
}

double TokenRowsLayout::placeRow(std::size_t row, QRectF area, const LabTokens& tokens,
                                 const Theme& theme)
{
    const double scale = theme.scale();
    const QFontMetricsF text(theme.bold(TextRole::StripToken));
    const QFontMetricsF small(theme.font(TextRole::Caption));
    const LabTokens::Row& content = tokens.rows[row];
    Row placed;
    const double named =
        QFontMetricsF(theme.bold(TextRole::Body)).horizontalAdvance(fromText(content.name));
    const double words = content.name.empty() && content.note.empty() ? 0.0 : kWords * scale;
    placed.name = {area.x(), area.y(), std::min(named + 4.0, area.width()), words};
    const double noteX = area.x() + (content.name.empty() ? 0.0 : named + 16.0);
    placed.note = {noteX, area.y(), std::max(area.right() - noteX, 0.0), words};
    const double more = small.horizontalAdvance(tr("and %1 more").arg(999'999)) + kPadding;
    double x = area.x();
    double y = area.y() + words;
    const double height = kChip * scale;
    for (std::size_t token = 0; token < content.tokens.size(); ++token) {
        const double width =
            std::min(widthOf(content.tokens[token], text, small, scale), area.width());
        const bool isLastLine = y + 2.0 * height + kLineGap > area.bottom() + 1.0;
        const bool isLast = token + 1 == content.tokens.size();
        const double room = area.right() - (isLastLine && !isLast ? more : 0.0);
        if (x + width > room && x > area.x()) {
            if (isLastLine) {
                placed.hidden = content.tokens.size() - token;
                placed.more = {x + kChipGap, y, more, height};
                break;
            }
            x = area.x();
            y += height + kLineGap;
        }
        m_chips.push_back({{x, y, width, height}, row, token});
        x += width + kChipGap;
    }
    m_rows.push_back(placed);
    return y + height;
}

double tokenRowsHeight(const LabTokens& tokens, double width, const Theme& theme)
{
    constexpr double kUnlimited = 1e5;
    return TokenRowsLayout({0, 0, width, kUnlimited}, tokens, theme).height();
}

void paintTokenRows(QPainter& painter, const QRectF& area, const LabTokens& tokens,
                    const Theme& theme)
{
    const TokenRowsLayout layout(area, tokens, theme);
    painter.save();
    for (std::size_t row = 0; row < layout.rows().size(); ++row) {
        const TokenRowsLayout::Row& place = layout.rows()[row];
        painter.setFont(theme.bold(TextRole::Body));
        painter.setPen(theme.text);
        painter.drawText(place.name, Qt::AlignLeft | Qt::AlignVCenter,
                         fromText(tokens.rows[row].name));
        painter.setFont(theme.font(TextRole::Body));
        painter.setPen(theme.text2);
        painter.drawText(
            place.note, Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetricsF(painter.font())
                .elidedText(fromText(tokens.rows[row].note), Qt::ElideRight, place.note.width()));
        if (place.hidden == 0)
            continue;
        painter.setFont(theme.font(TextRole::Caption));
        painter.drawText(place.more, Qt::AlignLeft | Qt::AlignVCenter,
                         tr("and %1 more").arg(count(static_cast<long long>(place.hidden))));
    }
    for (const TokenRowsLayout::Chip& chip : layout.chips())
        paintChip(painter, chip.rect, tokens.rows[chip.row].tokens[chip.token], theme);
    painter.restore();
}

QString describeToken(const LabTokens& tokens, std::size_t row, std::size_t token)
{
    const LabTokens::Token& one = tokens.rows[row].tokens[token];
    QString words = tr("token %1").arg(fromText(one.text));
    if (!tokens.rows[row].name.empty())
        words = fromText(tokens.rows[row].name) + QStringLiteral(": ") + words;
    if (one.id >= 0)
        words += tr(", id %1").arg(one.id);
    if (one.end > one.begin)
        words += tr(", bytes %1 to %2").arg(one.begin).arg(one.end - 1);
    if (one.isNew)
        words += tr(", new");
    return words;
}

void TokenRowsDiagram::setContent(const LabTokens& tokens)
{
    m_tokens = tokens;
    QStringList rows;
    for (const LabTokens::Row& row : tokens.rows)
        rows << tr("%1: %n token(s)", nullptr, static_cast<int>(row.tokens.size()))
                    .arg(fromText(row.name));
    contentChanged(rows.join(QStringLiteral("; ")), currentItem());
}

std::vector<DiagramItem> TokenRowsDiagram::makePlaces(const QRectF& area, const Theme& theme) const
{
    std::vector<DiagramItem> places;
    const TokenRowsLayout layout(area, m_tokens, theme);
    for (const TokenRowsLayout::Chip& chip : layout.chips())
        places.push_back({chip.rect, describeToken(m_tokens, chip.row, chip.token)});
    return places;
}

void TokenRowsDiagram::paintAll(QPainter& painter, const QRectF& area, const Theme& theme) const
{
    paintTokenRows(painter, area, m_tokens, theme);
}

} // namespace headscope::ui
