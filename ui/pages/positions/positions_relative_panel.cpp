#include "ui/pages/positions/positions_relative_panel.h"

#include "ui/pages/positions/relative_plot.h"
#include "ui/pages/shared/boxes.h"
#include "ui/widgets/labels.h"

#include <QSignalBlocker>

#include <algorithm>
#include <tuple>
#include <utility>

namespace headscope::ui {

RelativePanel::RelativePanel(Make make, QWidget* parent)
    : QWidget(parent)
    , m_make(std::move(make))
    , m_plot(new RelativePlot(this))
{
    rowOf(32, {makeControls(), {m_plot, 1}}, this);
    connect(m_plot, &RelativePlot::stepped, this, [this](int distance, int key) {
        RelativeOptions options = m_options;
        options.distance = std::max(0, options.distance + distance);
        options.key = std::clamp(options.key + key, 0, kDistances - 1);
        setOptions(options);
    });
}

NamedSlider* RelativePanel::slider(const QString& name, const QString& symbol,
                                   std::function<void(double)> take,
                                   std::optional<SliderScale> scale)
{
    auto* result = new NamedSlider(name, symbol, Role::Plain);
    result->hide(); // Later, showSliders() shows those of the scheme.
    if (scale)
        result->setScale(*scale); // Before signals are connected.
    connect(result, &NamedSlider::numberChanged, this,
            [this, take = std::move(take)](double value) {
                take(value);
                refresh();
            });
    return result;
}

QWidget* RelativePanel::makeControls()
{
    auto* controls = new QWidget(this);
    controls->setFixedWidth(190);
    auto* column = columnOf(10, {heading(tr("Try it"))}, controls);
    const auto whole = [](int& target) {
        return [&target](double value) { target = static_cast<int>(value); };
    };
    m_distance = slider(tr("Distance"), QStringLiteral("m \u2212 n"), whole(m_options.distance));
    m_key = slider(tr("Key position"), QStringLiteral("n"), whole(m_options.key));
    m_theta = slider(
        tr("Base"), QString(), [this](double value) { m_options.theta = value; },
        SliderScale{100.0, 1e6, 300, true, 1.0, 0});
    m_channels = slider(tr("Channels"), QString(), whole(m_options.dimensions),
                        SliderScale{4.0, 128.0, 62, false, 2.0, 0});
    m_heads = slider(tr("Heads"), QString(), whole(m_options.heads),
                     SliderScale{1.0, 32.0, 31, false, 1.0, 0});
    m_head = slider(tr("Head"), QString(), whole(m_options.head));
    m_buckets = slider(tr("Buckets"), QString(), whole(m_options.buckets),
                       SliderScale{4.0, 64.0, 30, false, 2.0, 0});
    m_longest = slider(tr("Last bucket from"), QString(), whole(m_options.maxDistance));
    for (NamedSlider* each :
         {m_distance, m_key, m_theta, m_channels, m_heads, m_head, m_buckets, m_longest})
        column->addWidget(each);
    m_number = new TextLabel({}, TextRole::Figure, TextLabel::Tone::Text);
    m_number->setObjectName("number");
    m_words = paragraph({}, TextRole::Body, TextLabel::Tone::Text2);
    column->addWidget(m_number);
    column->addWidget(m_words);
    column->addStretch(1);
    return controls;
}

void RelativePanel::setOptions(const RelativeOptions& options)
{
    m_options = options;
    refresh();
}

void RelativePanel::refresh()
{
    m_options.maxDistance = std::clamp(m_options.maxDistance, 2 * m_options.buckets, 512);
    m_content = m_make(m_options);
    m_options = m_content.options;
    showSliders();
    const auto head = static_cast<std::size_t>(m_options.head);
    const int m = m_options.key + m_options.distance;
    switch (m_content.scheme) {
    case Positions::Rope:
        m_number->setText(number(m_content.rope.score(m, m_options.key), 3));
        break;
    case Positions::Alibi:
        m_number->setText(number(-double{m_content.alibi.slopes[head]} * m_options.distance, 3));
        break;
    default:
        m_number->setText(QString::number(m_content.buckets.buckets.bucketOf(-m_options.distance)));
        break;
    }
    m_words->setText(relativeText(m_content));
    m_plot->setContent(m_content);
}

void RelativePanel::showSliders()
{
    const Positions scheme = m_content.scheme;
    const bool rope = scheme == Positions::Rope;
    const bool buckets = !rope && scheme != Positions::Alibi;
    const bool ofModel = rope      ? m_content.rope.ofModel
                         : buckets ? m_content.buckets.ofModel
                                   : m_content.alibi.ofModel;
    const int longest = buckets ? bucketDistances(m_content.buckets.buckets) : kDistances;
    const std::tuple<NamedSlider*, bool, double> shown[] = {
        {m_distance, true, m_options.distance},
        {m_key, rope, m_options.key},
        {m_theta, rope && !ofModel, m_options.theta},
        {m_channels, rope && !ofModel, m_options.dimensions},
        {m_heads, scheme == Positions::Alibi && !ofModel, m_options.heads},
        {m_head, scheme == Positions::Alibi || (buckets && ofModel), m_options.head},
        {m_buckets, buckets && !ofModel, m_options.buckets},
        {m_longest, buckets && !ofModel, m_options.maxDistance}};
    const auto whole = [](int low, int high) {
        return SliderScale{static_cast<double>(low),
                           static_cast<double>(std::max(high, low + 1)),
                           std::max(high - low, 1),
                           false,
                           1.0,
                           0};
    };
    const QSignalBlocker quiet[] = {QSignalBlocker(m_distance), QSignalBlocker(m_key),
                                    QSignalBlocker(m_theta),    QSignalBlocker(m_channels),
                                    QSignalBlocker(m_heads),    QSignalBlocker(m_head),
                                    QSignalBlocker(m_buckets),  QSignalBlocker(m_longest)};
    m_distance->setScale(whole(0, longest - 1));
    m_key->setScale(whole(0, kDistances - 1));
    m_head->setScale(whole(0, m_options.heads - 1));
    m_longest->setScale(whole(2 * m_options.buckets, 512));
    for (const auto& [slider, visible, value] : shown) {
        slider->setVisible(visible);
        slider->setNumber(value);
    }
}

} // namespace headscope::ui
