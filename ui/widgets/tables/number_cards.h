#pragma once

#include "ui/widgets/diagrams/diagram_widget.h"

namespace headscope::ui {

struct NumberCard
{
    QString title;
    QString number; ///< Number with its unit.
    bool isMeasured = false;
};

/// Numbers in a row, each under its name. Those that do not fit are counted at the end; screen
/// readers get all of them.
class NumberCards : public DiagramWidget
{
    Q_OBJECT

public:
    explicit NumberCards(QWidget* parent = nullptr);

    void setCards(std::vector<NumberCard> cards);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    std::vector<DiagramItem> makePlaces(const QRectF& area, const Theme& theme) const override;
    void paintAll(QPainter& painter, const QRectF& area, const Theme& theme) const override;

private:
    std::vector<NumberCard> m_cards;
};

double numberCardsHeight(const Theme& theme);
void paintNumberCards(QPainter& painter, const QRectF& area, const std::vector<NumberCard>& cards,
                      const Theme& theme);

/// Text such as "KV cache 10.7 GB" or "time 3.2 ms, measured here".
QString describeCard(const NumberCard& card);

} // namespace headscope::ui
