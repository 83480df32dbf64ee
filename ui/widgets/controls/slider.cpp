#include "ui/widgets/controls/slider.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

constexpr double kKnob = 18.0;
constexpr double kTrack = 4.0;
constexpr double kInlineTrack = 240.0; // maximum width of the track in one line with its value
constexpr double kShortestTrack = 96.0;
constexpr double kInlineValue = 64.0;

} // namespace

double SliderScale::rounded(double value) const
{
    const double kept = std::clamp(value, low, high);
    return multiple > 0.0 ? std::clamp(std::round(kept / multiple) * multiple, low, high) : kept;
}

double SliderScale::valueAt(int step) const
{
    const double fraction =
        steps > 0 ? static_cast<double>(std::clamp(step, 0, steps)) / steps : 0.0;
    return rounded(logarithmic ? low * std::pow(high / low, fraction)
                               : low + fraction * (high - low));
}

int SliderScale::stepOf(double value) const
{
    const double kept = std::clamp(value, low, high);
    const double range = logarithmic ? std::log(high / low) : high - low;
    if (!(range > 0.0))
        return 0;
    const double fraction = (logarithmic ? std::log(kept / low) : kept - low) / range;
    return static_cast<int>(std::lround(fraction * steps));
}

NamedSlider::NamedSlider(const QString& name, const QString& symbol, Role role, QWidget* parent)
    : QAbstractSlider(parent)
    , m_name(name)
    , m_symbol(symbol)
    , m_role(role)
{
    setOrientation(Qt::Horizontal);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(symbol.isEmpty() ? name : name + QLatin1Char(' ') + symbol);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setScale({});
}

void NamedSlider::setScale(SliderScale scale)
{
    m_scale = scale;
    m_setting = true;
    setRange(0, std::max(scale.steps, 1));
    setSingleStep(1);
    setPageStep(std::max(1, scale.steps / 10));
    m_setting = false;
    setNumber(m_number);
    update();
}

void NamedSlider::setNumber(double value)
{
    const double kept = m_scale.rounded(value);
    const bool changed = kept != m_number;
    m_number = kept;
    m_setting = true;
    setValue(m_scale.stepOf(kept));
    m_setting = false;
    setAccessibleDescription(valueText());
    update();
    if (changed)
        emit numberChanged(m_number);
}

void NamedSlider::setCompact(bool compact)
{
    m_compact = compact;
    updateGeometry();
}

void NamedSlider::setInline(const QString& unit, const QString& after)
{
    m_inline = true;
    m_compact = true;
    m_unit = unit;
    m_after = after;
    setNumber(m_number);
    updateGeometry();
}

/// Updates the number after keyboard or mouse steps, but not after programmatic ones.
void NamedSlider::sliderChange(SliderChange change)
{
    QAbstractSlider::sliderChange(change);
    if (change != SliderValueChange || m_setting)
        return;
    m_number = m_scale.valueAt(value());
    setAccessibleDescription(valueText());
    update();
    emit numberChanged(m_number);
}

QString NamedSlider::valueText() const
{
    return headscope::ui::number(m_number, m_scale.decimals) + m_unit;
}

QSize NamedSlider::sizeHint() const
{
    const Theme theme = Theme::of(*this);
    const double scale = theme.scale();
    if (!m_inline)
        return {190, qRound((m_compact ? 50.0 : 70.0) * scale)};
    const QFontMetricsF words(theme.font(TextRole::Body));
    return {qRound(words.horizontalAdvance(m_name) + words.horizontalAdvance(m_after) +
                   (kInlineTrack + kInlineValue) * scale + 32.0),
            qRound(32.0 * scale)};
}

QSize NamedSlider::minimumSizeHint() const
{
    const QSize wanted = sizeHint();
    const double spare = (kInlineTrack - kShortestTrack) * Theme::of(*this).scale();
    return {m_inline ? wanted.width() - qRound(spare) : 120, wanted.height()};
}

QRectF NamedSlider::trackRect() const
{
    const Theme theme = Theme::of(*this);
    const double scale = theme.scale();
    if (m_inline) {
        const double name = QFontMetricsF(theme.font(TextRole::Body)).horizontalAdvance(m_name);
        const double others = sizeHint().width() - kInlineTrack * scale;
        return {std::round(name + 16.0), std::round(height() / 2.0 - kTrack / 2.0),
                std::clamp(width() - others, kShortestTrack * scale, kInlineTrack * scale), kTrack};
    }
    return {kKnob / 2.0 - 8.0, std::round(36.0 * scale - kTrack / 2.0), width() - kKnob + 16.0,
            kTrack};
}

QRectF NamedSlider::valueRect() const
{
    const Theme theme = Theme::of(*this);
    const double needed =
        QFontMetricsF(theme.bold(TextRole::Sentence)).horizontalAdvance(valueText()) + 8.0;
    const double shown = std::max(needed, 40.0);
    if (m_inline)
        return {trackRect().right() + 16.0, 0.0, kInlineValue * theme.scale(),
                static_cast<double>(height())};
    return {width() - shown, 0.0, shown, 26.0 * theme.scale()};
}

void NamedSlider::paintEvent(QPaintEvent*)
{
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double line = m_inline ? height() : 26.0 * theme.scale();
    const QRectF top(0, 0, width(), line);
    painter.setFont(theme.font(TextRole::Body));
    painter.setPen(isEnabled() ? theme.text2 : theme.text3);
    const double room = (m_inline ? trackRect().left() : valueRect().left()) - 4.0;
    painter.drawText(top, Qt::AlignLeft | Qt::AlignVCenter,
                     m_symbol.isEmpty() ? painter.fontMetrics().elidedText(m_name, Qt::ElideRight,
                                                                           static_cast<int>(room))
                                        : m_name);
    if (!m_symbol.isEmpty()) {
        const double x = QFontMetricsF(painter.font()).horizontalAdvance(m_name + QLatin1Char(' '));
        painter.setFont(theme.bold(TextRole::Body));
        painter.setPen(m_role == Role::Plain ? theme.text2 : roleColour(m_role, theme));
        painter.drawText(top.adjusted(x, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, m_symbol);
    }
    painter.setFont(theme.bold(TextRole::Sentence));
    painter.setPen(isEnabled() ? theme.text : theme.text3);
    painter.drawText(m_inline ? valueRect() : top,
                     (m_inline ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter, valueText());
    paintTrack(painter, theme);
    if (m_inline) {
        painter.setFont(theme.font(TextRole::Body));
        painter.setPen(isEnabled() ? theme.text2 : theme.text3);
        painter.drawText(top.adjusted(valueRect().right(), 0, 0, 0),
                         Qt::AlignLeft | Qt::AlignVCenter, m_after);
    }
    if (m_compact)
        return;
    const QRectF track = trackRect();
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.text3);
    const QRectF ends(0, track.bottom() + 11.0, width(), 18.0 * theme.scale());
    painter.drawText(ends, Qt::AlignLeft | Qt::AlignTop,
                     headscope::ui::number(m_scale.low, m_scale.decimals));
    painter.drawText(ends, Qt::AlignRight | Qt::AlignTop,
                     headscope::ui::number(m_scale.high, m_scale.decimals));
}

void NamedSlider::paintTrack(QPainter& painter, const Theme& theme) const
{
    const QRectF track = trackRect();
    const double fraction = maximum() > minimum() ? static_cast<double>(value()) / maximum() : 0.0;
    const double knob = track.x() + 8.0 + fraction * (track.width() - 16.0);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.track);
    painter.drawRoundedRect(track, 2, 2);
    painter.setBrush(isEnabled() ? theme.accent : theme.control);
    painter.drawRoundedRect(QRectF(track.x(), track.y(), knob - track.x(), track.height()), 2, 2);
    painter.setBrush(theme.surface);
    painter.setPen(QPen(isEnabled() ? theme.accent : theme.control, 2.0));
    painter.drawEllipse(QPointF(knob, track.center().y()), kKnob / 2.0 - 1.0, kKnob / 2.0 - 1.0);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(QPointF(knob, track.center().y()), kKnob / 2.0 + 3.0,
                            kKnob / 2.0 + 3.0);
    }
}

void NamedSlider::follow(QPointF position)
{
    const QRectF track = trackRect();
    const double fraction = (position.x() - track.x() - 8.0) / std::max(1.0, track.width() - 16.0);
    setSliderPosition(static_cast<int>(std::lround(std::clamp(fraction, 0.0, 1.0) * maximum())));
}

void NamedSlider::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return QAbstractSlider::mousePressEvent(event);
    if (valueRect().contains(event->position())) {
        startEditing();
    } else if (m_inline ? trackRect().adjusted(-8, -16, 8, 16).contains(event->position())
                        : event->position().y() > valueRect().bottom() - 4.0) {
        setSliderDown(true);
        follow(event->position());
    }
}

void NamedSlider::mouseMoveEvent(QMouseEvent* event)
{
    if (isSliderDown())
        follow(event->position());
    setCursor(valueRect().contains(event->position()) ? Qt::IBeamCursor : Qt::ArrowCursor);
}

void NamedSlider::mouseReleaseEvent(QMouseEvent*)
{
    setSliderDown(false);
}

void NamedSlider::keyPressEvent(QKeyEvent* event)
{
    const QString typed = event->text();
    if (event->key() == Qt::Key_F2) {
        startEditing();
    } else if (event->key() == Qt::Key_Escape && m_editor != nullptr && m_editor->isVisible()) {
        m_editor->hide(); // keeps the number
        setFocus();
    } else if (typed.size() == 1 && typed.at(0).isDigit()) {
        startEditing();
        m_editor->setText(typed);
    } else if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right ||
               event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) {
        // One step of whole numbers, so that every value is reachable.
        const bool up = event->key() == Qt::Key_Right || event->key() == Qt::Key_Up;
        const double step = m_scale.multiple > 0.0 && !m_scale.logarithmic ? m_scale.multiple : 0.0;
        if (step > 0.0)
            setNumber(m_number + (up ? step : -step));
        else
            setValue(value() + (up ? 1 : -1));
    } else {
        QAbstractSlider::keyPressEvent(event);
    }
}

void NamedSlider::startEditing()
{
    if (m_editor == nullptr) {
        m_editor = new QLineEdit(this);
        m_editor->setProperty("role", "value");
        m_editor->setAlignment(Qt::AlignRight);
        m_editor->setAccessibleName(accessibleName());
        connect(m_editor, &QLineEdit::editingFinished, this, &NamedSlider::finishEditing);
    }
    const QRectF place = valueRect();
    const double width = std::max(place.width() + 24.0, 90.0);
    const double left = m_inline ? place.left() : place.right() - width;
    m_editor->setGeometry(QRectF(left, 0, width, place.height() + 2.0).toRect());
    m_editor->setText(QString::number(m_number, 'f', m_scale.decimals));
    m_editor->selectAll();
    m_editor->show();
    m_editor->setFocus();
}

void NamedSlider::finishEditing()
{
    if (!m_editor->isVisible())
        return;
    m_editor->hide();
    QString text = m_editor->text();
    text.remove(QRegularExpression(QStringLiteral("[\\s\\x{202F}]")));
    bool isNumber = false;
    const double value = text.replace(QChar(0x2212), QLatin1Char('-')).toDouble(&isNumber);
    isNumber = isNumber && std::isfinite(value);
    const bool isInside = isNumber && value >= m_scale.low && value <= m_scale.high;
    if (isInside || (isNumber && !property("refusesBeyond").toBool())) // else the nearest end
        setNumber(value);
    if (!isInside)
        emit textRefused(text);
    setFocus();
}

bool NamedSlider::event(QEvent* event)
{
    if (event->type() == QEvent::ApplicationFontChange)
        updateGeometry();
    return QAbstractSlider::event(event);
}

} // namespace headscope::ui
