#include "ui/pages/shared/mode_page.h"

#include "ui/pages/shared/boxes.h"
#include "ui/widgets/readable.h"

#include <QJsonObject>

namespace headscope::ui {

ModePage::ModePage(Session& session, const std::vector<PageDescriptor>& modes) : Page(session)
{
    rowOf(0, {}, this);
    for (const PageDescriptor& mode : modes)
        addMode(mode);
    ModePage::arrange();
}

void ModePage::addMode(const PageDescriptor& mode)
{
    Page* page = mode.make(session());
    page->hide();
    if (!m_pages.empty()) // the first has the name of the whole
        page->setObjectName(mode.name);
    page->setAccessibleName(mode.title);
    makeReadable(*page, QAccessible::Grouping);
    layout()->addWidget(page);
    connect(page, &Page::pageWanted, this, &Page::pageWanted);
    connect(page, &Page::messageWanted, this, &Page::messageWanted);
    connect(page, &Page::numberWanted, this, &Page::numberWanted);
    connect(page, &Page::hintChanged, this, &Page::hintChanged);
    m_names << mode.name;
    m_pages.push_back(page);
}

void ModePage::arrange()
{
    for (Page* page : m_pages)
        page->setVisible(page == &current());
}

void ModePage::setMode(const QString& name)
{
    const auto found = static_cast<int>(m_names.indexOf(name));
    if (found < 0 || found == m_mode)
        return;
    m_mode = found;
    arrange();
    emit modeChanged();
}

QJsonObject ModePage::options() const
{
    QJsonObject options = m_pages.front()->options();
    if (m_mode > 0)
        options.insert("mode", place());
    return options;
}

void ModePage::setOptions(const QJsonObject& options)
{
    m_pages.front()->setOptions(options);
    setMode(options.value("mode").toString());
}

void ModePage::setReducedMotion(bool reduced)
{
    for (Page* page : m_pages)
        page->setReducedMotion(reduced);
}

MaybeNumber ModePage::numberAt(std::optional<QPoint> place) const
{
    return current().numberAt(place);
}

} // namespace headscope::ui
