#include "ui/window/models/model_menu.h"

#include "ui/window/frame/window_texts.h"

#include <QMenu>

namespace headscope::ui {

ModelMenu::ModelMenu(QMenu& menu, QAction& end, ModelSearch& search)
    : QObject(&menu)
    , m_menu(menu)
    , m_end(end)
    , m_search(search)
{
    menu.setToolTipsVisible(true);
    connect(&menu, &QMenu::aboutToShow, &search, &ModelSearch::look);
    connect(&search, &ModelSearch::started, this, &ModelMenu::refresh);
    connect(&search, &ModelSearch::finished, this, &ModelMenu::refresh);
    refresh();
}

QList<ModelMenu::Line> ModelMenu::wantedLines() const
{
    QList<Line> lines{{tr("On this machine"), {}}};
    const std::optional<ModelShelf>& shelf = m_search.shelf();
    if (!shelf)
        lines << Line{tr("searching\u2026"), {}};
    else if (shelf->installed.empty())
        lines << Line{tr("none found: see \u201CGet a model\u201D"), {}};
    else
        for (const InstalledModel& model : shelf->installed) {
            const QString path = QString::fromStdString(model.path.string());
            const QString name = sourceName(path).replace(u'&', QLatin1String("&&"));
            lines << Line{tr("%1 \u00B7 %2").arg(name, megabytes(model.bytes)), path};
        }
    return lines;
}

/// Leaves unchanged entries in place, so that an open menu keeps its highlight.
void ModelMenu::refresh()
{
    const QList<Line> lines = wantedLines();
    if (lines == m_lines)
        return;
    m_lines = lines;
    qDeleteAll(m_entries);
    m_entries.clear();
    for (const Line& line : lines) {
        auto* action = new QAction(line.text, &m_menu);
        action->setEnabled(!line.path.isEmpty());
        action->setToolTip(line.path);
        action->setData(line.path);
        connect(action, &QAction::triggered, this,
                [this, path = line.path] { emit modelWanted(path); });
        m_menu.insertAction(&m_end, action);
        m_entries << action;
    }
}

} // namespace headscope::ui
