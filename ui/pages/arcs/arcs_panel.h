#pragma once

#include "ui/pages/arcs/arcs_content.h"
#include "ui/pages/shared/column_scroll.h"

class QGridLayout;

namespace headscope::ui {

class Hairline;
class TextLabel;

/// Each head's strongest link of the focused token, and the fraction of attention that is drawn.
class ArcsPanel : public ColumnScroll
{
    Q_OBJECT

public:
    explicit ArcsPanel(QWidget* parent = nullptr);

    struct Content
    {
        ArcsContent arcs;
        QString title;        ///< Title such as "Layer 3".
        int headsOfLayer = 0; ///< Number of heads in the layer, shown or not.
        QString hidden;       ///< Names of hidden tokens; empty when none are hidden.
        QString rowsText;     ///< What becomes of the rows then, see hiddenRowsText().
    };

    void setContent(Content content);
    void setFocusToken(std::optional<ArcEnd> focus); ///< Sets the hovered or pinned token.

    /// Head with the largest weight at the focused token; -1 without one.
signals:
    void headOffWanted(int head); ///< Emitted by the link at the bottom.

private:
    void addFact(const QString& name, TextLabel*& nameLabel, TextLabel*& value);
    void showCounts();
    void showQuestion(const std::vector<ArcLink>& strongest);

    class Readings;

    Content m_content;
    int m_strongestHead = -1;
    TextLabel* m_title;
    TextLabel* m_subtitle;
    Readings* m_readings;
    QGridLayout* m_facts;
    TextLabel* m_linksName = nullptr;
    TextLabel* m_links = nullptr;
    TextLabel* m_massName = nullptr;
    TextLabel* m_mass = nullptr;
    TextLabel* m_sinkName = nullptr;
    TextLabel* m_sink = nullptr;
    TextLabel* m_hiddenName = nullptr;
    TextLabel* m_hidden = nullptr;
    TextLabel* m_limit;
    Hairline* m_questionLine = nullptr;
    TextLabel* m_question;
};

} // namespace headscope::ui
