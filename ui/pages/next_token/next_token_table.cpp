#include "ui/pages/next_token/next_token_table.h"

#include "ui/pages/shared/figures/number_rows.h"
#include "ui/widgets/style/focus_frame.h"
#include "ui/widgets/tr.h"

#include <QAccessible>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr double kHeader = 28.0;
constexpr double kRow = 28.0;
constexpr double kComparisonRow = 34.0;

bool compares(const NextTokenContent& content)
{
    return !content.rows.empty() && content.rows.front().before.has_value();
}

double rowHeight(const NextTokenContent& content, const Theme& theme)
{
    return (compares(content) ? kComparisonRow : kRow) * theme.scale();
}

/// Left edges and widths of the columns.
struct Columns
{
    QRectF label, logit, scaled, bar, a, b, change, drawn, result;
};

Columns columnsOf(QRectF row, const NextTokenContent& content, const Theme& theme)
{
    const bool comparison = compares(content);
    const double s = theme.scale();
    const double gap = 16.0 * s;
    const double compared = comparison ? (3.0 * 68.0) * s + 2.0 * gap : 60.0 * s;
    const double sampled = content.fillsIn ? 0.0 : (64.0 + 76.0) * s + 3.0 * gap;
    const double fixed = (112.0 + 64.0) * s + 3.0 * gap + compared + sampled;
    const double flexible = std::max(80.0, row.width() - fixed);
    const double bar = content.fillsIn ? flexible : flexible * 0.5;
    Columns c;
    double x = row.x();
    const auto next = [&](double width) {
        const QRectF column(x, row.y(), width, row.height());
        x += width + gap;
        return column;
    };
    c.label = next(112.0 * s);
    c.logit = next(64.0 * s);
    if (!content.fillsIn)
        c.scaled = next(64.0 * s);
    c.bar = next(bar);
    if (comparison) {
        c.a = next(60.0 * s);
        c.b = next(60.0 * s);
        c.change = next(84.0 * s);
    } else {
        c.b = next(60.0 * s);
    }
    if (content.fillsIn)
        return c;
    c.drawn = next(bar);
    c.result = QRectF(x, row.y(), row.right() - x, row.height());
    return c;
}

void paintBar(QPainter& painter, QRectF track, double fraction, const QColor& colour)
{
    if (fraction > 0.0)
        painter.fillRect(
            QRectF(track.x(), track.y(), std::max(1.0, track.width() * fraction), track.height()),
            colour);
}

void write(QPainter& painter, const QRectF& place, Qt::Alignment side, const QString& text)
{
    painter.drawText(place, static_cast<int>(side | Qt::AlignVCenter),
                     QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, place.width()));
}

QString resultText(const NextTokenRow& row)
{
    switch (row.cut) {
    case NextTokenRow::Cut::Kept:
        return number(row.sampling, 3);
    case NextTokenRow::Cut::TopK:
        return tr("cut by k");
    case NextTokenRow::Cut::TopP:
        return tr("cut by p");
    case NextTokenRow::Cut::Temperature:
        break;
    }
    return tr("not largest");
}

void paintSamplingHeader(QPainter& painter, const Columns& c, const SamplingSettings& settings)
{
    write(painter, c.scaled, Qt::AlignRight,
          settings.temperature > 0.0 ? tr("\u00F7 %1").arg(number(settings.temperature, 2))
                                     : tr("greedy"));
    write(painter, c.drawn, Qt::AlignLeft, tr("scaled, truncated, renormalised"));
    write(painter, c.result, Qt::AlignRight, tr("sampling p"));
}

void paintHeader(QPainter& painter, QRectF area, const NextTokenContent& content,
                 const Theme& theme)
{
    const bool comparison = compares(content);
    const Columns c = columnsOf(QRectF(area.x(), area.y(), area.width(), kHeader * theme.scale()),
                                content, theme);
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.text3);
    write(painter, c.label, Qt::AlignRight, tr("token"));
    write(painter, c.logit, Qt::AlignRight, tr("logit"));
    write(painter, c.bar, Qt::AlignLeft,
          comparison ? tr("softmax of the logits, A above B") : tr("softmax of the logits"));
    if (comparison) {
        write(painter, c.a, Qt::AlignRight, tr("A"));
        write(painter, c.b, Qt::AlignRight, tr("B"));
        write(painter, c.change, Qt::AlignRight, tr("B\u2212A"));
    }
    if (!content.fillsIn)
        paintSamplingHeader(painter, c, content.settings);
    painter.fillRect(QRectF(area.x(), c.label.bottom() - 1.0, area.width(), 1.0), theme.line);
}

void paintRow(QPainter& painter, const Columns& c, const NextTokenRow& row, const Theme& theme,
              bool first)
{
    const bool kept = row.cut == NextTokenRow::Cut::Kept;
    painter.setFont(first ? theme.bold(TextRole::Table) : theme.font(TextRole::Table));
    painter.setPen(kept ? theme.text : theme.text3);
    write(painter, c.label, Qt::AlignRight, row.label);
    painter.setFont(theme.font(TextRole::Table));
    painter.setPen(theme.text2);
    write(painter, c.logit, Qt::AlignRight, number(row.logit, 2));
    const double middle = std::round(c.bar.center().y());
    if (row.before) {
        paintBar(painter, {c.bar.x(), middle - 11, c.bar.width(), 11}, *row.before, theme.bar);
        paintBar(painter, {c.bar.x(), middle, c.bar.width(), 11}, row.probability, theme.accent);
        write(painter, c.a, Qt::AlignRight, number(*row.before, 3));
        const double change = row.probability - *row.before;
        painter.setPen(change < 0 ? theme.less : theme.more);
        write(painter, c.change, Qt::AlignRight,
              signedNumber(change, 3) +
                  (change < 0 ? QStringLiteral(" \u25BC") : QStringLiteral(" \u25B2")));
        painter.setPen(theme.accent);
    } else {
        paintBar(painter, {c.bar.x(), middle - 7, c.bar.width(), 14}, row.probability, theme.bar);
        painter.setPen(theme.text);
    }
    write(painter, c.b, Qt::AlignRight, number(row.probability, 3));
}

void paintSampling(QPainter& painter, const Columns& c, const NextTokenRow& row, const Theme& theme)
{
    const bool kept = row.cut == NextTokenRow::Cut::Kept;
    const double middle = std::round(c.drawn.center().y());
    painter.setFont(theme.font(TextRole::Table));
    painter.setPen(theme.text2);
    write(painter, c.scaled, Qt::AlignRight, number(row.scaled, 2));
    painter.fillRect(QRectF(c.drawn.x(), middle - 7, c.drawn.width(), 14), theme.masked);
    paintBar(painter, {c.drawn.x(), middle - 7, c.drawn.width(), 14}, row.sampling, theme.accent);
    painter.setFont(kept ? theme.bold(TextRole::Table) : theme.font(TextRole::Caption));
    painter.setPen(kept ? theme.text : theme.text3);
    write(painter, c.result, Qt::AlignRight, resultText(row));
}

NumberTable numbersOf(const NextTokenContent& content)
{
    const bool samples = !content.fillsIn;
    QStringList columns = samples ? QStringList{"logit", "scaled", "softmax", "sampling"}
                                  : QStringList{"logit", "softmax"};
    const bool comparison = compares(content);
    if (comparison)
        columns << "softmax_a";
    NumberRows rows;
    for (const NextTokenRow& row : content.rows) {
        std::vector<double> stages =
            samples ? std::vector{row.logit, row.scaled, row.probability, row.sampling}
                    : std::vector{row.logit, row.probability};
        if (comparison)
            stages.push_back(*row.before);
        rows.add(row.label, stages);
    }
    return rows.table(QStringLiteral("next-token"), columns);
}

QString describeCandidate(const NextTokenRow& row)
{
    const QString line = tr("%1: logit %2, softmax %3")
                             .arg(row.label, number(row.logit, 3), number(row.probability, 4));
    return row.before ? line + tr(", in A %1").arg(number(*row.before, 4)) : line;
}

QString captionOf(const NextTokenContent& content)
{
    if (content.fillsIn)
        return tr("The most likely tokens at this position: logits, and probabilities on the fixed "
                  "scale 0 to 1. Entropy %1 of %2 bits.")
            .arg(number(content.entropy, 2), number(content.largestEntropy, 2));
    return tr("The most likely tokens: logits, probabilities on the fixed scale 0 to 1, and the "
              "sampling distribution with temperature %1, top-k %2 and top-p %3. Entropy %4 of "
              "%5 bits.")
        .arg(number(content.settings.temperature, 2))
        .arg(content.settings.topK)
        .arg(number(content.settings.topP, 2), number(content.entropy, 2),
             number(content.largestEntropy, 2));
}

} // namespace

double nextTokensHeight(const NextTokenContent& content, const Theme& theme)
{
    return kHeader * theme.scale() +
           rowHeight(content, theme) * static_cast<double>(content.rows.size());
}

void paintNextTokens(QPainter& painter, QRectF area, const NextTokenContent& content,
                     std::optional<int> current, const Theme& theme)
{
    if (content.rows.empty())
        return;
    painter.save();
    paintHeader(painter, area, content, theme);
    const double height = rowHeight(content, theme);
    for (std::size_t index = 0; index < content.rows.size(); ++index) {
        const QRectF row(area.x(),
                         area.y() + kHeader * theme.scale() + static_cast<double>(index) * height,
                         area.width(), height);
        if (current == static_cast<int>(index))
            painter.fillRect(row, theme.soft);
        const Columns columns = columnsOf(row, content, theme);
        paintRow(painter, columns, content.rows[index], theme, index == 0);
        if (!content.fillsIn)
            paintSampling(painter, columns, content.rows[index], theme);
    }
    painter.restore();
}

QString describeRow(const NextTokenRow& row, const SamplingSettings& settings)
{
    QString line = tr("%1: logit %2, divided by the temperature %3, softmax %4")
                       .arg(row.label, number(row.logit, 3),
                            settings.temperature > 0.0 ? number(row.scaled, 3) : tr("0: greedy"),
                            number(row.probability, 4));
    if (row.before)
        line += tr(", in A %1").arg(number(*row.before, 4));
    return line + tr(", sampling probability %1")
                      .arg(row.cut == NextTokenRow::Cut::Kept ? number(row.sampling, 4)
                                                              : tr("0: %1").arg(resultText(row)));
}

Figure nextTokenFigure(const ViewSnapshot& view, const QJsonObject& options)
{
    const NextTokenContent content = nextTokenContent(view, {settingsFrom(options), 10});
    Figure figure = figureOf(
        view, content.inPlace
                  ? tr("Prediction at %1 \u201C%2\u201D").arg(content.position).arg(content.after)
                  : tr("Next token after \u201C%1\u201D").arg(content.after));
    if (content.rows.empty())
        return figure;
    figure.caption = captionOf(content);
    figure.size = [content](const Theme& theme) {
        return QSizeF(960.0 * theme.scale(), nextTokensHeight(content, theme) + 8.0);
    };
    figure.paint = [content](QPainter& painter, const QRectF& area, const Theme& theme,
                             const FigureTarget&) {
        paintNextTokens(painter, area, content, std::nullopt, theme);
    };
    figure.numbers.push_back(numbersOf(content));
    return figure;
}

NextTokenTable::NextTokenTable(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Most likely next tokens"));
    makeReadableList(*this, [this] { return readable(); });
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void NextTokenTable::setContent(NextTokenContent content)
{
    m_content = std::move(content);
    if (m_current && *m_current >= static_cast<int>(m_content.rows.size()))
        m_current.reset();
    setCurrent(m_current);
    updateGeometry();
    update();
}

QRectF NextTokenTable::rowRect(int row) const
{
    const Theme theme = Theme::of(*this);
    const double height = rowHeight(m_content, theme);
    return {0.0, kHeader * theme.scale() + row * height, static_cast<double>(width()), height};
}

QRectF NextTokenTable::columnRect(Place place) const
{
    const Columns columns = columnsOf(rowRect(place.row), m_content, Theme::of(*this));
    switch (place.column) {
    case NextTokenStage::Logit:
        return columns.logit;
    case NextTokenStage::Scaled:
        return columns.scaled;
    case NextTokenStage::Before:
        return columns.a;
    case NextTokenStage::Probability:
        break;
    }
    return columns.b;
}

std::optional<NextTokenTable::Place> NextTokenTable::placeAt(QPointF point) const
{
    using Column = NextTokenStage;
    for (int row = 0; row < static_cast<int>(m_content.rows.size()); ++row) {
        if (!rowRect(row).contains(point))
            continue;
        for (const Column column : {Column::Logit, Column::Scaled, Column::Before})
            if (columnRect({row, column}).contains(point))
                return Place{row, column};
        return Place{row, Column::Probability};
    }
    return std::nullopt;
}

QSize NextTokenTable::sizeHint() const
{
    return {800, qRound(nextTokensHeight(m_content, Theme::of(*this)))};
}

QSize NextTokenTable::minimumSizeHint() const
{
    return {560, sizeHint().height()};
}

ReadableTable NextTokenTable::readable() const
{
    ReadableTable table;
    table.rows = static_cast<int>(m_content.rows.size());
    table.columns = 1;
    table.words = [this](HeatmapCell cell) { return rowText(cell.row); };
    table.place = [this](HeatmapCell cell) { return rowRect(cell.row); };
    if (m_current)
        table.current = {*m_current, 0};
    return table;
}

QString NextTokenTable::rowText(int row) const
{
    const NextTokenRow& token = m_content.rows[static_cast<std::size_t>(row)];
    return m_content.fillsIn ? describeCandidate(token) : describeRow(token, m_content.settings);
}

void NextTokenTable::setCurrent(std::optional<int> row)
{
    m_current = row;
    QStringList lines;
    if (row)
        lines << rowText(*row);
    else
        for (const NextTokenRow& other : m_content.rows)
            lines << other.label + QLatin1Char(' ') + number(other.probability, 3);
    setAccessibleDescription(lines.join(QStringLiteral("; ")));
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
    if (hasFocus())
        announceCurrent(*this);
    setToolTip(row ? accessibleDescription() : QString());
    update();
    emit currentChanged();
}

void NextTokenTable::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintNextTokens(painter, rect(), m_content, m_current, Theme::of(*this));
    paintFocusFrame(painter, *this);
}

void NextTokenTable::mousePressEvent(QMouseEvent* event)
{
    for (int row = 0; row < static_cast<int>(m_content.rows.size()); ++row)
        if (rowRect(row).contains(event->position()))
            return setCurrent(m_current == row ? std::nullopt : std::optional(row));
    QWidget::mousePressEvent(event);
}

void NextTokenTable::mouseDoubleClickEvent(QMouseEvent* event)
{
    const auto place = placeAt(event->position());
    if (!place)
        return QWidget::mouseDoubleClickEvent(event);
    setCurrent(place->row);
    emit rowOpened();
}

void NextTokenTable::keyPressEvent(QKeyEvent* event)
{
    const bool opens = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (opens && m_current && !(event->modifiers() & Qt::ControlModifier))
        return emit rowOpened();
    if (event->key() == Qt::Key_Escape && m_current)
        return setCurrent(std::nullopt);
    const int step = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    if (step == 0 || m_content.rows.empty())
        return QWidget::keyPressEvent(event);
    const int last = static_cast<int>(m_content.rows.size()) - 1;
    setCurrent(m_current ? std::clamp(*m_current + step, 0, last) : 0);
}

} // namespace headscope::ui
