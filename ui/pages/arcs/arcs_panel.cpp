#include "ui/pages/arcs/arcs_panel.h"

#include "ui/pages/shared/boxes.h"
#include "ui/widgets/arcs/arcs_curves.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/readable.h"
#include "ui/widgets/style/colour_map.h"

#include <QFontMetricsF>
#include <QGridLayout>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

using Tone = TextLabel::Tone;

constexpr int kMargin = 24;
constexpr double kRow = 32.0;

Hairline* addLine(QVBoxLayout& column)
{
    auto* line = new Hairline;
    column.addSpacing(16);
    column.addWidget(line);
    column.addSpacing(16);
    return line;
}

ArcEnd partnerOf(const ArcLink& link, ArcSide side)
{
    return side == ArcSide::Query ? ArcEnd{ArcSide::Key, link.key}
                                  : ArcEnd{ArcSide::Query, link.query};
}

/// Draws a token and its subscript position; returns where the text ends.
double writeToken(QPainter& painter, const QRectF& place, const ArcsContent& arcs, ArcEnd end,
                  const std::pair<QFont, QColor>& style, const Theme& theme)
{
    const QFontMetricsF metrics(style.first);
    const QFontMetricsF small(theme.font(TextRole::Caption));
    const QString index = QStringLiteral(" %1").arg(arcs.position(end));
    const QString text = metrics.elidedText(arcs.label(end), Qt::ElideRight,
                                            place.width() - small.horizontalAdvance(index));
    const double baseline = place.center().y() + (metrics.ascent() - metrics.descent()) / 2.0;
    painter.setFont(style.first);
    painter.setPen(style.second);
    painter.drawText(QPointF(place.x(), baseline), text);
    const double x = place.x() + metrics.horizontalAdvance(text);
    painter.setFont(theme.font(TextRole::Caption));
    painter.setPen(theme.text3);
    painter.drawText(QPointF(x, baseline), index);
    return x + small.horizontalAdvance(index);
}

} // namespace

/// Title "it 10 attends to", then a colour swatch, a token and a weight for every head.
class ArcsPanel::Readings : public QWidget
{
public:
    Readings()
    {
        setAccessibleName(ArcsPanel::tr("Strongest links"));
        makeReadable(*this, QAccessible::StaticText);
    }

    void show(const ArcsContent* arcs, std::optional<ArcEnd> focus, std::vector<ArcLink> links)
    {
        m_arcs = arcs;
        m_focus = focus;
        m_links = std::move(links);
        setAccessibleDescription(focus ? describeEnd(*arcs, *focus) : QString());
        updateGeometry();
        update();
    }

    QSize sizeHint() const override
    {
        const double scale = Theme::of(*this).scale();
        const double rows = m_focus ? static_cast<double>(m_links.size()) : 0.0;
        return {200, static_cast<int>(std::ceil((kTop + rows * kRow) * scale))};
    }

    QSize minimumSizeHint() const override { return {100, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const Theme theme = Theme::of(*this);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF top(0, 0, width(), 28.0 * theme.scale());
        if (!m_focus) {
            painter.setFont(theme.font(TextRole::Body));
            painter.setPen(theme.text2);
            painter.drawText(QRectF(rect()), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                             ArcsPanel::tr("Point at a token on either side to see only its "
                                           "links. Click to pin it."));
            return;
        }
        paintTitle(painter, top, theme);
        double y = kTop * theme.scale();
        for (const ArcLink& link : m_links) {
            paintReading(painter, QRectF(0, y, width(), kRow * theme.scale()), link, theme);
            y += kRow * theme.scale();
        }
    }

private:
    static constexpr double kTop = 40.0;

    void paintTitle(QPainter& painter, QRectF place, const Theme& theme) const
    {
        const bool outgoing = m_focus->side == ArcSide::Query;
        const QString after = outgoing
                                  ? (m_arcs->isDifference() ? ArcsPanel::tr("changed most")
                                                            : ArcsPanel::tr("attends to"))
                                  : (m_arcs->isDifference() ? ArcsPanel::tr("changed most")
                                                            : ArcsPanel::tr("is attended to by"));
        const QFont font = theme.font(TextRole::Sentence);
        const double room = QFontMetricsF(font).horizontalAdvance(after) + 12.0;
        const double end = writeToken(
            painter, place.adjusted(0, 0, -room, 0), *m_arcs, *m_focus,
            {theme.bold(TextRole::Sentence), outgoing ? theme.accent : theme.key}, theme);
        painter.setFont(font);
        painter.setPen(theme.text);
        const QFontMetricsF metrics(font);
        painter.drawText(
            QPointF(end + 8.0, place.center().y() + (metrics.ascent() - metrics.descent()) / 2.0),
            after);
    }

    void paintReading(QPainter& painter, const QRectF& row, const ArcLink& link,
                      const Theme& theme) const
    {
        const double scale = theme.scale();
        const ArcHead& head = m_arcs->heads[static_cast<std::size_t>(link.head)];
        const QColor hue = headHue(head.slot, theme);
        const QRectF square(row.x(), row.y() + 4.0 * scale, 28.0 * scale, 24.0 * scale);
        painter.setPen(Qt::NoPen);
        painter.setBrush(hue);
        painter.drawRoundedRect(square, 4, 4);
        painter.setFont(theme.bold(TextRole::Body));
        painter.setPen(cellTextColour(hue.rgb()));
        painter.drawText(square, Qt::AlignCenter, QString::number(head.number));
        const ArcEnd partner = partnerOf(link, m_focus->side);
        const QRectF text = row.adjusted(40.0 * scale, 0, -80.0 * scale, 0);
        if (partner.index < 0) {
            painter.setFont(theme.font(TextRole::Lesson));
            painter.setPen(theme.text3);
            painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, ArcsPanel::tr("none"));
            return;
        }
        writeToken(painter, text, *m_arcs, partner, {theme.font(TextRole::Lesson), theme.text},
                   theme);
        painter.setFont(theme.bold(TextRole::Lesson));
        const double weight = double{link.weight};
        painter.setPen(!m_arcs->isSigned ? theme.text : weight < 0.0 ? theme.less : theme.more);
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter,
                         m_arcs->isSigned
                             ? (weight < 0.0 ? QStringLiteral("▼ ") : QStringLiteral("▲ ")) +
                                   signedNumber(weight, 3)
                             : readoutNumber(weight));
    }

    const ArcsContent* m_arcs = nullptr;
    std::optional<ArcEnd> m_focus;
    std::vector<ArcLink> m_links;
};

ArcsPanel::ArcsPanel(QWidget* parent)
    : ColumnScroll(new QWidget, parent)
    , m_title(new TextLabel({}, TextRole::Title))
    , m_subtitle(new TextLabel({}, TextRole::Body, Tone::Text2))
    , m_readings(new Readings)
    , m_facts(new QGridLayout)
    , m_limit(paragraph({}, TextRole::Caption, Tone::Text3))
    , m_question(paragraph({}, TextRole::Lesson, Tone::Text2))
{
    setAccessibleName(tr("Strongest links and coverage"));
    makeReadable(*this, QAccessible::Grouping);
    QWidget* inside = widget();
    auto* column = columnOf(0, {m_title, m_subtitle}, inside);
    column->setContentsMargins(kMargin, 16, kMargin, 8);
    addLine(*column);
    column->addWidget(m_readings);
    addLine(*column);
    column->addWidget(new TextLabel(tr("Coverage"), TextRole::Heading));
    column->addSpacing(8);
    m_facts->setColumnStretch(0, 1);
    m_facts->setVerticalSpacing(6);
    column->addLayout(m_facts);
    addFact(tr("Links"), m_linksName, m_links);
    addFact(tr("Of the visible attention"), m_massName, m_mass);
    addFact(tr("On attention sinks"), m_sinkName, m_sink);
    addFact({}, m_hiddenName, m_hidden);
    m_limit->setContentsMargins(0, 8, 0, 0);
    column->addWidget(m_limit);
    m_questionLine = addLine(*column);
    m_question->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_question->setAccessibleName(tr("Test the strongest link"));
    connect(m_question, &QLabel::linkActivated, this,
            [this] { emit headOffWanted(m_strongestHead); });
    column->addWidget(m_question);
    column->addStretch(1);
}

void ArcsPanel::addFact(const QString& name, TextLabel*& nameLabel, TextLabel*& value)
{
    const int row = m_facts->rowCount();
    nameLabel = paragraph(name, TextRole::Body, Tone::Text3);
    value = new TextLabel({}, TextRole::Body);
    m_facts->addWidget(nameLabel, row, 0);
    m_facts->addWidget(value, row, 1, Qt::AlignRight | Qt::AlignTop);
}

void ArcsPanel::setContent(Content content)
{
    m_content = std::move(content);
    widget()->setVisible(!m_content.arcs.isEmpty());
    m_title->setText(m_content.title);
    m_subtitle->setText(
        tr("%1 of %2 heads shown").arg(m_content.arcs.heads.size()).arg(m_content.headsOfLayer));
    showCounts();
    setFocusToken(m_content.arcs.focus());
}

void ArcsPanel::setFocusToken(std::optional<ArcEnd> focus)
{
    const std::vector<ArcLink> strongest =
        focus ? strongestOf(m_content.arcs, *focus) : std::vector<ArcLink>();
    m_readings->show(&m_content.arcs, focus, strongest);
    showQuestion(strongest);
}

void ArcsPanel::showCounts()
{
    const ArcCounts& counts = m_content.arcs.counts;
    m_links->setText(tr("%1 of %2").arg(count(counts.shown), count(counts.all)));
    m_mass->setText(percent(counts.shownMass));
    m_massName->setText(m_content.arcs.isDifference()  ? tr("Of the visible change")
                        : m_content.arcs.isAttribution ? tr("Of the visible total")
                                                       : tr("Of the visible attention"));
    for (TextLabel* label : {m_sinkName, m_sink})
        label->setVisible(counts.sinkMass.has_value());
    const double sink = counts.sinkMass.value_or(0.0);
    m_sink->setText(m_content.arcs.isDifference() ? tr("%1 %").arg(signedNumber(100.0 * sink, 0))
                                                  : percent(sink));
    const bool hides = !m_content.hidden.isEmpty();
    m_hiddenName->setVisible(hides);
    m_hidden->setVisible(hides);
    m_hiddenName->setText(tr("Hidden with %1; %2").arg(m_content.hidden, m_content.rowsText));
    m_hidden->setText(percent(counts.hiddenMass));
    m_limit->setVisible(counts.mostPerRow > 0 || m_content.arcs.isSigned);
    m_limit->setText(m_content.arcs.isAttribution && m_content.arcs.isSigned
                         ? tr("Contributions to the logit, scale −1 to +1: ▲ orange raises it, "
                              "▼ violet lowers it.")
                     : m_content.arcs.isSigned
                         ? tr("B−A, scale −1 to +1: ▲ orange attends more in B, ▼ violet less.")
                         : tr("At most %1 links per row and head, because there are more than "
                              "%2 tokens.")
                               .arg(counts.mostPerRow)
                               .arg(kLongColumn));
}

void ArcsPanel::showQuestion(const std::vector<ArcLink>& strongest)
{
    const auto best = std::max_element(strongest.begin(), strongest.end(),
                                       [](const ArcLink& left, const ArcLink& right) {
                                           return std::abs(left.weight) < std::abs(right.weight);
                                       });
    const ArcsContent& arcs = m_content.arcs;
    m_strongestHead = -1;
    const bool asks =
        best != strongest.end() && best->weight != 0.0F && !arcs.isSigned && !arcs.isAttribution;
    m_questionLine->setVisible(asks);
    m_question->setVisible(asks);
    if (!asks)
        return;
    m_strongestHead = arcs.heads[static_cast<std::size_t>(best->head)].number;
    m_question->setText(tr("Head <b>%1</b> links “%2” to “%3” with %4. Does that matter? Try "
                           "another sentence, or <a href=\"off\">ablate the head</a>.")
                            .arg(m_strongestHead)
                            .arg(arcs.label({ArcSide::Query, best->query}).toHtmlEscaped(),
                                 arcs.label({ArcSide::Key, best->key}).toHtmlEscaped(),
                                 readoutNumber(double{best->weight})));
}

} // namespace headscope::ui
