#include "ui/pages/shared/stages/lab_figure.h"

#include "ui/pages/shared/stages/lab_plot.h"
#include "ui/widgets/tr.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr double kTitle = 24.0;
constexpr double kCaption = 18.0;
constexpr double kGap = 24.0;
constexpr QSizeF kUsual{960, 440};
constexpr QSizeF kLargest{1600, 1200};

RoomNeed panelNeed(const LabPanel& panel, const Theme& theme)
{
    RoomNeed request = roomNeed(panel.plot, theme);
    const QSizeF words(0.0, (kTitle + kCaption) * theme.scale());
    request.least += words;
    request.best += words;
    return request;
}

double cardsHeight(const LabResult& result, const Theme& theme)
{
    return result.numbers.empty() ? 0.0 : numberCardsHeight(theme) + kGap;
}

/// Wide enough for the requested sizes of figures side by side.
QSizeF wantedSize(const LabResult& result, const Theme& theme)
{
    QSizeF size = kUsual * theme.scale();
    double beside = 0.0;
    for (const LabPanel& panel : result.panels) {
        const RoomNeed request = panelNeed(panel, theme);
        beside += request.best.width() + kGap;
        size.setHeight(std::max(size.height(), request.best.height()));
    }
    size.setWidth(std::max(size.width(), beside));
    size = size.boundedTo(kLargest * theme.scale());
    return {size.width(), size.height() + cardsHeight(result, theme)};
}

void paintPanel(QPainter& painter, const QRectF& area, const LabPanel& panel, const Theme& theme,
                const FigureTarget& target, int frame)
{
    const double scale = theme.scale();
    QRectF rest = area;
    const auto line = [&](const std::string& words, double height, const QFont& font,
                          const QColor& colour) {
        if (words.empty())
            return;
        painter.setFont(font);
        painter.setPen(colour);
        painter.drawText(QRectF(rest.x(), rest.y(), rest.width(), height * scale),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(font).elidedText(QString::fromStdString(words),
                                                        Qt::ElideRight, rest.width()));
        rest.setTop(rest.top() + height * scale);
    };
    line(panel.title, kTitle, theme.font(TextRole::Heading), theme.text);
    line(panel.caption, kCaption, theme.font(TextRole::Caption), theme.text3);
    painter.save();
    paintDiagram(painter, rest.adjusted(0, 4, 0, 0), panel.plot, theme, target, frame);
    painter.restore();
}

void paintAll(QPainter& painter, const QRectF& area, const LabState& shown, const Theme& theme,
              const FigureTarget& target)
{
    const LabResult& result = *shown.result;
    const double cards = cardsHeight(result, theme);
    std::vector<RoomNeed> requests;
    for (const LabPanel& panel : result.panels)
        requests.push_back(panelNeed(panel, theme));
    const QRectF plots = area.adjusted(0, 0, 0, -cards);
    const std::vector<QRectF> places = arranged(plots, requests, kGap);
    for (std::size_t index = 0; index < places.size(); ++index)
        paintPanel(painter, places[index], result.panels[index], theme, target,
                   index < shown.frames.size() ? shown.frames[index] : -1);
    if (cards > 0.0)
        paintNumberCards(painter,
                         {area.x(), area.bottom() - cards + kGap, area.width(), cards - kGap},
                         labCards(result), theme);
}

} // namespace

std::vector<NumberCard> labCards(const LabResult& result)
{
    std::vector<NumberCard> cards;
    for (const LabNumber& number : result.numbers)
        cards.push_back(
            {QString::fromStdString(number.title), numberText(number), number.isMeasured});
    return cards;
}

QString settingsText(const LabSettings& settings)
{
    QStringList parts;
    for (const LabControl& control : settings.controls()) {
        const std::string& value = settings.text(control.name);
        std::string words = value;
        const auto choice = std::ranges::find(control.choices, value);
        if (control.kind == LabControl::Kind::Choice && choice != control.choices.end())
            words = control.titles[static_cast<std::size_t>(choice - control.choices.begin())];
        QString text = QString::fromStdString(words);
        if (control.kind == LabControl::Kind::Switch)
            text = value == "on" ? tr("on") : tr("off");
        constexpr int kLongest = 80;
        if (text.size() > kLongest)
            text = text.left(kLongest) + QChar(0x2026);
        parts << QString::fromStdString(control.title) + QLatin1Char(' ') + text;
    }
    return parts.join(QStringLiteral(" \u00B7 "));
}

Figure labFigure(const LabState& shown)
{
    if (!shown.result || shown.result->panels.empty())
        return {};
    Figure figure;
    figure.title = shown.title;
    figure.subtitle = shown.settings;
    figure.sentence = shown.sentence;
    figure.caption = QString::fromStdString(shown.result->sentence);
    figure.size = [result = shown.result](const Theme& theme) {
        return wantedSize(*result, theme);
    };
    figure.paint = [shown](QPainter& painter, const QRectF& area, const Theme& theme,
                           const FigureTarget& target) {
        paintAll(painter, area, shown, theme, target);
    };
    if (!shown.result->numbers.empty())
        figure.numbers.push_back(numbersOf(shown.result->numbers));
    for (const LabPanel& panel : shown.result->panels)
        for (NumberTable& table : numbersOf(panel))
            figure.numbers.push_back(std::move(table));
    return figure;
}

} // namespace headscope::ui
