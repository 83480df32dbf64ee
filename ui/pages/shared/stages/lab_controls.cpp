#include "ui/pages/shared/stages/lab_controls.h"

#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/controls/slider.h"
#include "ui/widgets/labels.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QFontMetrics>
#include <QLineEdit>
#include <QSignalBlocker>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr int kSpacing = 32;
constexpr int kFieldHeight = 32;
// Longer text is rejected with a message rather than truncated.
constexpr int kLongestText = 1'000'000;
constexpr int kLogarithmicSteps = 200;
constexpr std::size_t kMostSegments = 5;
constexpr int kSegmentEdges = 26; ///< Padding and border of one segment.
constexpr int kWidestSegments = 320;
constexpr int kWidestBesideMany = 200; ///< The same beside more than kFewControls.
constexpr std::size_t kFewControls = 3;

QString fromText(const std::string& text)
{
    return QString::fromStdString(text);
}

/// Decimals that multiples of `step` need.
int decimalsOf(double step)
{
    constexpr int kMost = 6;
    for (int decimals = 0; decimals < kMost; ++decimals) {
        const double scaled = step * std::pow(10.0, decimals);
        if (std::abs(scaled - std::round(scaled)) < 1e-9 * std::max(1.0, scaled))
            return decimals;
    }
    return kMost;
}

bool isMultiple(double value, double step)
{
    const double times = value / step;
    return std::abs(times - std::round(times)) < 1e-9 * std::max(1.0, std::abs(times));
}

SliderScale scaleOf(const LabControl& control)
{
    constexpr double kMostSteps = 1000.0;
    SliderScale scale;
    scale.low = control.low;
    scale.high = control.high;
    scale.logarithmic = control.isLogarithmic && control.low > 0.0;
    const double range = control.high - control.low;
    const double steps = control.step > 0.0 ? range / control.step : kMostSteps / 5.0;
    scale.steps = scale.logarithmic
                      ? kLogarithmicSteps
                      : static_cast<int>(std::clamp(std::round(steps), 1.0, kMostSteps));
    if (control.step > 0.0) {
        const bool fits = isMultiple(control.low, control.step);
        scale.multiple = fits || scale.logarithmic ? control.step : 0.0;
        scale.decimals = std::max(decimalsOf(control.step), fits ? 0 : decimalsOf(control.low));
    } else {
        const double finest = scale.logarithmic ? control.low : range / kMostSteps;
        scale.decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(finest))), 0, 6);
    }
    return scale;
}

bool fitsAsSegments(const LabControl& control, int widest, const QWidget& widget)
{
    if (control.titles.size() > kMostSegments || control.titles.size() < 2)
        return false;
    const Theme theme = Theme::of(widget);
    const QFontMetrics metrics(theme.bold(TextRole::Body));
    int width = 0;
    for (const std::string& title : control.titles)
        width += metrics.horizontalAdvance(fromText(title)) + kSegmentEdges;
    return width <= widest * theme.scale();
}

} // namespace

LabControls::LabControls(QWidget* parent) : QWidget(parent)
{
    m_row = new QBoxLayout(QBoxLayout::LeftToRight, this);
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(kSpacing);
}

void LabControls::setControls(const std::vector<LabControl>& controls)
{
    while (QLayoutItem* item = m_row->takeAt(0))
        delete item;
    for (const Place& place : m_places) {
        place.cell->hide();
        place.cell->deleteLater();
    }
    m_places.clear();
    m_widestSegments = controls.size() > kFewControls ? kWidestBesideMany : kWidestSegments;
    bool isFilled = false;
    for (const LabControl& control : controls) {
        m_places.push_back(makePlace(control));
        const bool grows =
            control.kind == LabControl::Kind::Number || control.kind == LabControl::Kind::Text;
        const int stretch = control.kind == LabControl::Kind::Text ? 2 : grows ? 1 : 0;
        m_row->addWidget(m_places.back().cell, stretch);
        isFilled = isFilled || grows;
    }
    if (!isFilled)
        m_row->addStretch(1);
}

LabControls::Place LabControls::makePlace(const LabControl& control)
{
    Place place{control, new QWidget(this), makeEditor(control)};
    place.editor->setObjectName(fromText(control.name));
    auto* column = new QVBoxLayout(place.cell);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    const bool isNamed =
        control.kind == LabControl::Kind::Number || control.kind == LabControl::Kind::Switch;
    if (!isNamed) {
        auto* title = new TextLabel(fromText(control.title), TextRole::Body, TextLabel::Tone::Text2,
                                    place.cell);
        title->setBuddy(place.editor);
        column->addWidget(title);
    }
    if (control.kind == LabControl::Kind::Switch)
        column->addStretch(1);
    column->addWidget(place.editor);
    place.editor->setParent(place.cell);
    place.cell->show();
    return place;
}

QWidget* LabControls::makeEditor(const LabControl& control)
{
    switch (control.kind) {
    case LabControl::Kind::Number:
        return makeNumber(control);
    case LabControl::Kind::Choice:
        return makeChoice(control);
    case LabControl::Kind::Switch:
        return makeSwitch(control);
    case LabControl::Kind::Text:
        break;
    }
    return makeText(control);
}

QWidget* LabControls::makeNumber(const LabControl& control)
{
    auto* slider = new NamedSlider(fromText(control.title), {}, Role::Plain, this);
    const SliderScale scale = scaleOf(control);
    slider->setScale(scale);
    slider->setCompact(true);
    slider->setProperty("refusesBeyond", true); // A lab reports it rather than clamping the number.
    slider->setMaximumWidth(qRound(360 * Theme::of(*this).scale()));
    slider->setToolTip(
        tr("%1 to %2; click the number, or press F2, to type one")
            .arg(number(control.low, scale.decimals), number(control.high, scale.decimals)));
    const QString name = fromText(control.name);
    connect(slider, &NamedSlider::numberChanged, this,
            [this, name](double value) { emit edited(name, fromText(fmt::format("{}", value))); });
    connect(slider, &NamedSlider::textRefused, this,
            [this, name](const QString& text) { emit textRefused(name, text); });
    return slider;
}

QWidget* LabControls::makeChoice(const LabControl& control)
{
    const QString name = fromText(control.name);
    const auto choose = [this, name, choices = control.choices](int index) {
        emit edited(name, fromText(choices[static_cast<std::size_t>(index)]));
    };
    if (fitsAsSegments(control, m_widestSegments, *this)) {
        auto* segments = new SegmentBar(this);
        std::vector<Segment> all;
        for (const std::string& title : control.titles)
            all.push_back({fromText(title), {}});
        segments->setSegments(all);
        segments->setAccessibleName(fromText(control.title));
        connect(segments, &SegmentBar::currentChanged, this, choose);
        return segments;
    }
    auto* box = new ChoiceBox(this);
    for (const std::string& title : control.titles)
        box->addItem(fromText(title));
    box->setPurpose(fromText(control.title));
    box->setMaximumWidth(qRound(kWidestSegments * Theme::of(*this).scale()));
    connect(box, &QComboBox::activated, this, choose);
    return box;
}

QWidget* LabControls::makeSwitch(const LabControl& control)
{
    auto* box = new QCheckBox(fromText(control.title), this);
    box->setMinimumHeight(kFieldHeight);
    connect(box, &QCheckBox::clicked, this, [this, name = fromText(control.name)](bool on) {
        emit edited(name, on ? QStringLiteral("on") : QStringLiteral("off"));
    });
    return box;
}

QWidget* LabControls::makeText(const LabControl& control)
{
    auto* field = new QLineEdit(this);
    field->setMaxLength(kLongestText);
    field->setMinimumHeight(kFieldHeight);
    field->setAccessibleName(fromText(control.title));
    connect(
        field, &QLineEdit::textEdited, this,
        [this, name = fromText(control.name)](const QString& text) { emit edited(name, text); });
    return field;
}

void LabControls::show(const LabSettings& settings)
{
    for (const Place& place : m_places) {
        const std::string& value = settings.text(place.control.name);
        const QSignalBlocker quiet(place.editor);
        if (auto* slider = qobject_cast<NamedSlider*>(place.editor)) {
            slider->setNumber(settings.number(place.control.name));
        } else if (auto* box = qobject_cast<QCheckBox*>(place.editor)) {
            box->setChecked(value == "on");
        } else if (auto* field = qobject_cast<QLineEdit*>(place.editor)) {
            if (field->text() != fromText(value))
                field->setText(fromText(value));
        } else {
            const auto& choices = place.control.choices;
            const auto index =
                static_cast<int>(std::ranges::find(choices, value) - choices.begin());
            if (auto* segments = qobject_cast<SegmentBar*>(place.editor))
                segments->setCurrent(index);
            else if (auto* list = qobject_cast<ChoiceBox*>(place.editor))
                list->setCurrentIndex(index);
        }
    }
}

void LabControls::hideControls(const QStringList& names)
{
    for (const Place& place : m_places)
        place.cell->setVisible(!names.contains(fromText(place.control.name)));
    setVisible(isAnyShown());
}

bool LabControls::isAnyShown() const
{
    return std::ranges::any_of(m_places,
                               [](const Place& place) { return !place.cell->isHidden(); });
}

void LabControls::focusFirst()
{
    for (const Place& place : m_places) {
        if (place.cell->isHidden())
            continue;
        QWidget* first = place.editor;
        if (qobject_cast<SegmentBar*>(first) != nullptr)
            for (QWidget* button : first->findChildren<QWidget*>())
                if (button->focusPolicy() != Qt::NoFocus)
                    return button->setFocus(Qt::OtherFocusReason);
        return first->setFocus(Qt::OtherFocusReason);
    }
}

} // namespace headscope::ui
