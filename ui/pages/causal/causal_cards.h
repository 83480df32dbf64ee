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

private:
    struct Card
    {
        CausalSection section = CausalSection::Heads;
        TextLabel* cost = nullptr;
        TextLabel* start = nullptr;
        QPushButton* run = nullptr;
    };

    QLayout* makeCard(Card& card, const QString& name, const QString& title, const QString& text);
    void run(CausalSection section);
    QString startText(CausalSection section) const;

    Session& m_session;
    CausalMeasurement& m_measurement;
    std::array<Card, 3> m_cards;
};

} // namespace headscope::ui
