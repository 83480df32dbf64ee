#pragma once

#include "ui/pages/causal/causal_choice.h"

#include <QWidget>

#include <array>

class QPushButton;

namespace headscope::ui {

class CausalMeasurement;
class Session;
class TextLabel;

/// The three tests before any of them ran: what each does, what it takes, and what it starts from.
class CausalCards : public QWidget
{
    Q_OBJECT

public:
    CausalCards(Session& session, CausalMeasurement& measurement, QWidget* parent = nullptr);

    void refresh();

    QPushButton& button(CausalSection section) const { return *cardOf(section).run; }

    QString text(CausalSection section) const; ///< Cost and start of a card, for tests.

private:
    struct Card
    {
        CausalSection section = CausalSection::Heads;
        TextLabel* cost = nullptr;
        TextLabel* start = nullptr;
        QPushButton* run = nullptr;
    };

    QLayout* makeCard(Card& card, const QString& title, const QString& text);
    void run(CausalSection section);
    QString startText(CausalSection section) const;

    const Card& cardOf(CausalSection section) const
    {
        return m_cards[static_cast<std::size_t>(section)];
    }

    Session& m_session;
    CausalMeasurement& m_measurement;
    std::array<Card, 3> m_cards;
};

} // namespace headscope::ui
