#pragma once

#include "ui/pages/heads/heads_content.h"

#include <QWidget>

namespace headscope::ui {

class HeadCard;
class HeadMeasurement;
class Session;
struct HeadCardContent;

/// Summary of the selected head next to the map of all heads: a card that follows the session and
/// remembers which evidence it shows.
class HeadsSidePanel : public QWidget
{
    Q_OBJECT

public:
    HeadsSidePanel(Session& session, HeadMeasurement& measurement, QWidget* parent = nullptr);

    int tab() const;
    void setTab(int tab);

    void readWeights(); ///< Only for the tab that shows them.
    void refresh(const HeadsChoice& choice);

signals:
    void headOpened(); ///< Opens the head, on the evidence's own sentence if it has one.

private:
    void connectCard();
    void openHead();
    void refreshCard();
    void fillHeading(HeadCardContent& card) const;
    void fillLabels(HeadCardContent& card) const;
    void fillMap(HeadCardContent& card) const;
    void fillScoreTab(HeadCardContent& card) const;
    void fillTokenTab(HeadCardContent& card) const;
    void fillAlike(HeadCardContent& card) const;
    void fillWeightTab(HeadCardContent& card) const;
    QString copyingText() const;
    const HeadLabel* chosenLabel() const;
    HeadId selected() const;

    Session& m_session;
    HeadMeasurement& m_measurement;
    HeadCard* m_card;
    HeadsChoice m_choice; ///< View of the page at the last refresh.
    int m_evidence = -1;  ///< Label whose evidence the card shows; -1: none.
    HeadId m_evidenceOf;
};

} // namespace headscope::ui
