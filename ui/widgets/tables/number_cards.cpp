#include "ui/widgets/tables/number_cards.h"

#include "ui/widgets/tr.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr double kTitle = 18.0;
constexpr double kNumber = 26.0;
constexpr double kGap = 28.0;

QString titleOf(const NumberCard& card)
{
    return card.isMeasured ? tr("%1 \u00B7 measured here").arg(card.title) : card.title;
}

QFont numberFont(const Theme& theme)
{
    return theme.bold(TextRole::Sentence);
}

/// Areas of as many cards as fit, from the left; leaves space for the count of the others.
std::vector<QRectF> placesOf(const QRectF& area, const std::vector<NumberCard>& cards,
                             const Theme& theme)
{
    const QFontMetricsF titles(theme.font(TextRole::Caption));
    const QFontMetricsF numbers(numberFont(theme));
    const double more = titles.horizontalAdvance(tr("and %1 more").arg(99));
    std::vector<QRectF> places;
    double x = area.x();
    for (std::size_t index = 0; index < cards.size(); ++index) {
        const double width = std::max(titles.horizontalAdvance(titleOf(cards[index])),
                                      numbers.horizontalAdvance(cards[index].number)) +
                             4.0;
        const bool isLast = index + 1 == cards.size();
        if (x + width > area.right() - (isLast ? 0.0 : more) && index > 0)
            break;
        places.push_back({x, area.y(), std::min(width, area.width()), area.height()});
        x += width + kGap * theme.scale();
    }
    return places;
}

} // namespace

double numberCardsHeight(const Theme& theme)
{
    return (kTitle + kNumber) * theme.scale();
}

void paintNumberCards(QPainter& painter, const QRectF& area, const std::vector<NumberCard>& cards,
                      const Theme& theme)
{
    const std::vector<QRectF> places = placesOf(area, cards, theme);
    const double title = kTitle * theme.scale();
    painter.save();
    for (std::size_t index = 0; index < places.size(); ++index) {
        const QRectF& place = places[index];
        painter.setFont(theme.font(TextRole::Caption));
        painter.setPen(theme.text3);
        painter.drawText(QRectF(place.x(), place.y(), place.width(), title),
                         Qt::AlignLeft | Qt::AlignVCenter, titleOf(cards[index]));
        painter.setFont(numberFont(theme));
        painter.setPen(theme.text);
        painter.drawText(
            QRectF(place.x(), place.y() + title, place.width(), kNumber * theme.scale()),
            Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetricsF(painter.font())
                .elidedText(cards[index].number, Qt::ElideRight, place.width()));
    }
    if (places.size() < cards.size() && !places.empty()) {
        painter.setFont(theme.font(TextRole::Caption));
        painter.setPen(theme.text3);
        painter.drawText(QRectF(places.back().right() + kGap * theme.scale(), area.y() + title, 200,
                                kNumber * theme.scale()),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         tr("and %1 more").arg(cards.size() - places.size()));
    }
    painter.restore();
}

QString describeCard(const NumberCard& card)
{
    QString words = card.title + QLatin1Char(' ') + card.number;
    if (card.isMeasured)
        words += tr(", measured here");
    return words;
}

NumberCards::NumberCards(QWidget* parent) : DiagramWidget(tr("Numbers"), parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void NumberCards::setCards(std::vector<NumberCard> cards)
{
    m_cards = std::move(cards);
    QStringList words;
    for (const NumberCard& card : m_cards)
        words << describeCard(card);
    contentChanged(words.join(QStringLiteral("; ")), currentItem());
}

QSize NumberCards::sizeHint() const
{
    return {320, qRound(numberCardsHeight(Theme::of(*this))) + 8};
}

QSize NumberCards::minimumSizeHint() const
{
    return {120, sizeHint().height()};
}

std::vector<DiagramItem> NumberCards::makePlaces(const QRectF& area, const Theme& theme) const
{
    const std::vector<QRectF> shown = placesOf(area, m_cards, theme);
    std::vector<DiagramItem> places;
    for (std::size_t index = 0; index < m_cards.size(); ++index) {
        const bool isShown = index < shown.size();
        const QRectF beyond(area.right() - 40, area.y(), 40, area.height());
        places.push_back({isShown ? shown[index] : beyond, describeCard(m_cards[index])});
    }
    return places;
}

void NumberCards::paintAll(QPainter& painter, const QRectF& area, const Theme& theme) const
{
    paintNumberCards(painter, area, m_cards, theme);
}

} // namespace headscope::ui
