#pragma once

#include "ui/pages/compare/difference_meter.h"

#include <QWidget>

namespace headscope::ui {

class LegendMap;
class RankedTable;
class Session;
class TextLabel;

/// Heads, tokens and matrices by how far they moved from A to B. A selected head is shown in A, in B
/// and as B−A; Enter opens it.
class DifferencePanel : public QWidget
{
    Q_OBJECT

public:
    explicit DifferencePanel(Session& session, QWidget* parent = nullptr);

    void refresh();          ///< Measures what the session shows.
    void refreshSelection(); ///< Shows the selected head and token.

    bool isSettled() const { return !m_meter.isMeasuring(); }

    const Differences& differences() const { return m_meter.differences(); }

    const ViewSnapshot& subject() const { return m_meter.subject(); }

    RankedTable& heads() const { return *m_heads; }

signals:
    void headOpened(); ///< Emitted to open the selected head.
    void problemRaised(const QString& sentence);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// One map with its letter.
    struct Pane
    {
        Variant variant;
        LegendMap* map;
    };

    QWidget* makeMaps();
    void connectTables();
    void selectHead(int row);
    void showTables();
    void showMatrices();
    void showMaps();

    Session& m_session;
    RankedTable* m_heads;
    RankedTable* m_tokens;
    RankedTable* m_matrices;
    TextLabel* m_title; ///< The selected head.
    std::vector<Pane> m_panes;
    DifferenceMeter m_meter; // Declared last, so that its threads end first.
};

} // namespace headscope::ui
