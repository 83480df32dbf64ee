#include "ui/widgets/charts/bars/fraction_bar.h"

#include "ui/widgets/style/colour_map.h"
#include "ui/widgets/tr.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kLabels = 20.0;
constexpr double kBar = 24.0;
constexpr double kAxis = 24.0;
constexpr double kGap = 2.0; // between parts

/// Smallest of 1, 2, 2.5, 5, 10 ... that is at least `value`.
double niceAbove(double value)
{
    if (!(value > 0.0))
        return 0.0;
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 2.5, 5.0})
        if (value <= step * power * (1.0 + 1e-9))
            return step * power;
    return 10.0 * power;
}

bool isWeighted(const WorkedDiagram& image, const WorkedStep& step)
{
    if (step.operation != Operation::Dot || step.operands.size() < 2)
        return false;
    const std::optional<CellAddress> first = step.operands[0].cell;
    return first && image.matrix(first->matrix).role == CellRole::Weight;
}

QString axisText(double value)
{
    return workedNumber(value, 2, true);
}

QString partText(const FractionBar::Part& part)
{
    return workedNumber(part.value, 4, false);
}

/// Paints labels above the parts, and lists those without a contribution as text.
class Labels
{
public:
    Labels(QPainter& painter, QRectF line, const Theme& theme)
        : m_painter(painter)
        , m_line(line)
        , m_theme(theme)
    {
    }

    void above(const QRectF& part, const QString& text)
    {
        m_painter.setFont(m_theme.font(TextRole::Body));
        m_painter.setPen(m_theme.text2);
        const QString shown =
            QFontMetricsF(m_painter.font()).elidedText(text, Qt::ElideRight, part.width());
        m_painter.drawText(QRectF(part.x(), m_line.y(), part.width(), m_line.height()),
                           Qt::AlignCenter, shown);
    }

    void nothing(double from, const QStringList& labels, bool isExactly)
    {
        if (labels.isEmpty())
            return;
        m_painter.setFont(m_theme.font(TextRole::Body));
        m_painter.setPen(m_theme.text3);
        const QString text = (isExactly ? tr("%1 adds 0") : tr("%1 adds almost 0"))
                                 .arg(labels.join(QStringLiteral(", ")));
        const QRectF room(from + 8.0, m_line.y(), m_line.right() - from - 8.0, m_line.height());
        m_painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                           QFontMetricsF(m_painter.font())
                               .elidedText(text, Qt::ElideRight, std::max(0.0, room.width())));
    }

private:
    QPainter& m_painter;
    QRectF m_line;
    const Theme& m_theme;
};

void paintPart(QPainter& painter, const QRectF& rect, const FractionBar::Part& part,
               const Theme& theme)
{
    const QColor fill = part.value < 0.0 ? theme.less : theme.value;
    painter.fillRect(rect, fill);
    painter.setFont(theme.bold(TextRole::Body));
    const QString text = partText(part);
    if (QFontMetricsF(painter.font()).horizontalAdvance(text) + 8.0 > rect.width())
        return;
    painter.setPen(cellTextColour(fill.rgb()));
    painter.drawText(rect, Qt::AlignCenter, text);
}

void paintAxis(QPainter& painter, QRectF line, const FractionBar& bar, double sumX,
               const Theme& theme)
{
    const QString sum = workedNumber(bar.sum, 4, false);
    const double half =
        QFontMetricsF(theme.bold(TextRole::Body)).horizontalAdvance(sum) / 2.0 + 8.0;
    const double span = bar.high() - bar.low();
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.text3);
    for (const double value : {bar.low(), bar.low() < 0.0 ? 0.0 : bar.high() / 2.0, bar.high()}) {
        const double x = line.x() + (value - bar.low()) / span * line.width();
        const double width = QFontMetricsF(painter.font()).horizontalAdvance(axisText(value));
        const double left = std::clamp(x - width / 2.0, line.x(), line.right() - width);
        if (left + width > sumX - half && left < sumX + half)
            continue; // the sum is shown here
        painter.drawText(QRectF(left - 1.0, line.y(), width + 2.0, line.height()), Qt::AlignCenter,
                         axisText(value));
    }
    painter.setFont(theme.bold(TextRole::Body));
    painter.setPen(theme.text);
    const double left = std::clamp(sumX - half, line.x() - 8.0, line.right() - 2.0 * half + 8.0);
    painter.drawText(QRectF(left, line.y(), 2.0 * half, line.height()), Qt::AlignCenter, sum);
}

} // namespace

double FractionBar::low() const
{
    double below = 0.0;
    for (const Part& part : parts)
        below += std::min(part.value, 0.0);
    return -niceAbove(-below);
}

double FractionBar::high() const
{
    double above = 0.0;
    for (const Part& part : parts)
        above += std::max(part.value, 0.0);
    const double nice = niceAbove(above);
    return nice > 0.0 || low() < 0.0 ? nice : 1.0;
}

FractionBar fractionBar(const WorkedDiagram& image)
{
    const WorkedStep* step = image.step();
    if (!step || !image.isFilled(step->result) || !isWeighted(image, *step))
        return {};
    FractionBar bar;
    for (std::size_t i = 0; i + 1 < step->operands.size(); i += 2) {
        const CellAddress weight = *step->operands[i].cell;
        const auto& columns = image.matrix(weight.matrix).columnLabels;
        const auto& rows = image.matrix(weight.matrix).rowLabels;
        const std::string& label = columns.size() > 1 || rows.size() == 1
                                       ? columns[static_cast<std::size_t>(weight.column)]
                                       : rows[static_cast<std::size_t>(weight.row)];
        bar.parts.push_back(
            {QString::fromStdString(label), step->operands[i].value * step->operands[i + 1].value});
    }
    bar.sum = step->value;
    return bar;
}

bool hasFractionBar(const WorkedDiagram& image)
{
    const int stage = image.stage();
    if (image.isEmpty() || image.example->stages.empty())
        return false;
    const auto& steps = image.example->steps;
    return std::any_of(steps.begin(), steps.end(), [&](const WorkedStep& step) {
        return step.stage == stage && isWeighted(image, step);
    });
}

double fractionBarHeight(const Theme& theme)
{
    return (kLabels + kBar + kAxis) * theme.scale();
}

void paintFractionBar(QPainter& painter, QRectF area, const FractionBar& bar, const Theme& theme)
{
    if (bar.isEmpty())
        return;
    const double scale = theme.scale();
    const QRectF track(area.x(), area.y() + kLabels * scale, area.width(), kBar * scale);
    const double span = bar.high() - bar.low();
    const auto x = [&](double value) {
        return track.x() + (value - bar.low()) / span * track.width();
    };
    painter.fillRect(track, theme.masked);
    Labels labels(painter, QRectF(area.x(), area.y(), area.width(), kLabels * scale), theme);
    double right = 0.0;
    double left = 0.0;
    QStringList nothing;
    bool isExactly = true;
    for (const FractionBar::Part& part : bar.parts) {
        double& end = part.value < 0.0 ? left : right;
        const double from = end;
        end += part.value;
        const QRectF rect(std::min(x(from), x(end)), track.y(),
                          std::max(std::abs(x(end) - x(from)) - kGap, 0.0), track.height());
        if (rect.width() < 1.0) {
            nothing << part.label;
            isExactly = isExactly && part.value == 0.0;
            continue;
        }
        paintPart(painter, rect, part, theme);
        labels.above(rect, part.label);
    }
    if (right < bar.high())
        labels.nothing(x(right), nothing, isExactly);
    const double sum = x(bar.sum);
    painter.fillRect(QRectF(sum - 1.0, track.y() - 5.0, 2.0, track.height() + 10.0), theme.text);
    paintAxis(painter, QRectF(area.x(), track.bottom() + 4.0, area.width(), kAxis * scale), bar,
              sum, theme);
}

} // namespace headscope::ui
