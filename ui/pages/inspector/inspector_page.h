#pragma once

#include "ui/pages/inspector/shown_pair.h"
#include "ui/pages/shared/maps/readings.h"
#include "ui/pages/shared/session_panel.h"

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace headscope::ui {

class BarsWidget;
class FormulaWidget;
class TextLabel;

/// The active head and the selected pair in numbers.
class InspectorPage : public SessionPanel
{
    Q_OBJECT

public:
    explicit InspectorPage(Session& session, QWidget* parent = nullptr);

signals:
    /// Emitted by the link, when the head was ablated in B: show the consequence.
    void headSwitchedOff();

protected:
    void refresh(ChangeSet changes) override;

private:
    QWidget* makeContent();
    void addTitle(QVBoxLayout& column);
    void addPair(QVBoxLayout& column);
    void addOrigin(QVBoxLayout& column);
    void addPrediction(QVBoxLayout& outer);
    void addFacts(QVBoxLayout& column);
    void addReminder(QVBoxLayout& column);

    int room() const;
    int widthForTokens() const;
    void showPair(const QString& query, const QString& key);
    void refreshTitle();
    void refreshPair(const ShownPair& shown);
    void refreshOrigin(const HeadReading& reading, const TokenPair& pair, const ShownPair& shown);
    void refreshPrediction(const Trace& trace, int query);
    void refreshFacts(const HeadReading& reading, const ShownPair& shown);
    void refreshReminder();

    QWidget* m_readings; // Everything that needs a trace.
    TextLabel* m_title;
    TextLabel* m_subtitle;
    QHBoxLayout* m_pairLine;
    TextLabel* m_queryToken;
    TextLabel* m_queryIndex;
    TextLabel* m_keyToken;
    TextLabel* m_keyIndex;
    TextLabel* m_figure;
    BarsWidget* m_keys;
    TextLabel* m_rest;
    TextLabel* m_originTitle;
    FormulaWidget* m_scoreFormula;
    FormulaWidget* m_weightFormula;
    TextLabel* m_replaced;
    QWidget* m_predictionPart;
    TextLabel* m_after;
    BarsWidget* m_prediction;
    TextLabel* m_entropy;
    TextLabel* m_rowSum;
    TextLabel* m_firstToken;
    QLabel* m_reminder;
    bool m_compact = false;
};

} // namespace headscope::ui
