#pragma once

#include "ui/workers/models/model_search.h"

#include <QObject>

class QAction;
class QMenu;

namespace headscope::ui {

/// Part of a menu that lists the models on this machine. Searches again whenever the menu is about
/// to show; previous results are shown at once.
class ModelMenu : public QObject
{
    Q_OBJECT

public:
    /// Inserts its entries before `end`, which stays.
    ModelMenu(QMenu& menu, QAction& end, ModelSearch& search);

signals:
    void modelWanted(const QString& path);

private:
    struct Line
    {
        QString text;
        QString path; ///< Path of the model; empty: disabled.

        bool operator==(const Line&) const = default;
    };

    QList<Line> wantedLines() const;
    void refresh();

    QMenu& m_menu;
    QAction& m_end;
    ModelSearch& m_search;
    QList<Line> m_lines;
    QList<QAction*> m_entries;
};

} // namespace headscope::ui
