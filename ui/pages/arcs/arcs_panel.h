#pragma once

#include "ui/pages/arcs/arcs_content.h"

#include <QScrollArea>

class QGridLayout;
class QLabel;

namespace headscope::ui {

class Hairline;
class TextLabel;

/// What each head's strongest link of the token in focus is, and how much of everything is drawn.
class ArcsPanel : public QScrollArea
{
    Q_OBJECT

public:
    explicit ArcsPanel(QWidget* parent = nullptr);

    struct Content
    {
        ArcsContent arcs;
        QString title;        ///< "Layer 3"
        int headsOfLayer = 0; ///< shown or not
        QString hidden;       ///< names of hidden tokens; empty when none are hidden
    };

    void setContent(Content content);
    void setFocusToken(std::optional<ArcEnd> focus); ///< hovered or pinned

    /// The head with the largest weight at the token in focus; -1 without one.
signals:
    void headOffWanted(int head); ///< the link at the bottom

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
    TextLabel* m_hiddenName = nullptr;
    TextLabel* m_hidden = nullptr;
    TextLabel* m_limit;
    Hairline* m_questionLine = nullptr;
    TextLabel* m_question;
};

} // namespace headscope::ui
