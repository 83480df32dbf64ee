#include "ui/pages/train/train_readings.h"

#include "ui/widgets/readable.h"
#include "ui/widgets/style/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kHeight = 40;
constexpr double kGap = 20.0;

} // namespace

TrainReadings::TrainReadings(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("Readings"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    makeReadable(*this, QAccessible::StaticText);
}

QSize TrainReadings::sizeHint() const
{
    return {200, qRound(kHeight * Theme::of(*this).scale())};
}

void TrainReadings::setReadings(const std::vector<TrainReading>& readings)
{
    m_readings = readings;
    QStringList words;
    for (const TrainReading& reading : readings)
        words << reading.name + QLatin1Char(' ') + reading.value;
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    setToolTip(words.join(QLatin1Char('\n')));
    update();
}

void TrainReadings::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    const QFont names = theme.font(TextRole::Caption);
    const QFont values = theme.bold(TextRole::Table);
    std::vector<double> widths;
    double all = 0.0;
    for (const TrainReading& reading : m_readings) {
        const double wanted = std::max(QFontMetricsF(names).horizontalAdvance(reading.name),
                                       QFontMetricsF(values).horizontalAdvance(reading.value));
        if (all + wanted > width())
            break;
        widths.push_back(wanted);
        all += wanted + kGap;
    }
    double x = width() - all + kGap;
    const double half = height() / 2.0;
    for (std::size_t index = 0; index < widths.size(); ++index) {
        painter.setFont(names);
        painter.setPen(theme.text3);
        painter.drawText(QRectF(x, 0, widths[index] + 1, half), Qt::AlignLeft | Qt::AlignVCenter,
                         m_readings[index].name);
        painter.setFont(values);
        painter.setPen(m_readings[index].isSubject ? theme.accent : theme.text);
        painter.drawText(QRectF(x, half, widths[index] + 1, half), Qt::AlignLeft | Qt::AlignVCenter,
                         m_readings[index].value);
        x += widths[index] + kGap;
    }
}

} // namespace headscope::ui
