#include "ui/window/workspaces/workspaces.h"

#include "ui/pages/qk/origin_page.h"
#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/mode_page.h"
#include "ui/session/session.h"
#include "ui/session/things_to_try.h"
#include "ui/window/workspaces/page_header.h"
#include "ui/window/workspaces/rail.h"
#include "ui/window/workspaces/rail_notes.h"
#include "ui/window/workspaces/workspace_switch.h"

#include <utility>

namespace headscope::ui {

namespace {

Setting pageSetting(Workspace workspace)
{
    constexpr Setting kSettings[] = {Setting::ExplorePage, Setting::LearnPage, Setting::TrainPage};
    return kSettings[static_cast<int>(workspace)];
}

} // namespace

Workspaces::Workspaces(Session& session, Settings& settings, QWidget& parent)
    : QObject(&parent)
    , m_settings(settings)
    , m_side(new QWidget(&parent))
    , m_switch(new WorkspaceSwitch(m_side))
    , m_rail(new Rail(m_side))
    , m_notes(new RailNotes(session, settings, m_side))
    , m_header(new PageHeader(&parent))
    , m_stack(new PageStack(session, settings, &parent))
{
    columnOf(0, {m_switch, {m_rail, 1}, m_notes}, m_side)
        ->setSizeConstraint(QLayout::SetMinAndMaxSize); // never wider than the rail
    QStringList titles;
    for (const PageDescriptor& page : descriptors())
        titles << page.title;
    m_rail->reserve(titles);
    connect(m_stack, &PageStack::made, this, &Workspaces::connectPage);
    connect(m_switch, &WorkspaceSwitch::chosen, this, &Workspaces::showWorkspace);
    connect(m_rail, &Rail::pageChosen, this, &Workspaces::goTo);
    connect(m_header, &PageHeader::modeChosen, this, &Workspaces::show);
    const ThingsToTry& things = thingsToTryOf(session);
    connect(&things, &ThingsToTry::offeredAgain, this, [this] { show("overview"); });
    connect(&things, &ThingsToTry::trainingStarted, this, [this] { show("train"); });
}

void Workspaces::fillRail()
{
    m_rail->clear();
    std::optional<PageGroup> group;
    for (const PageDescriptor& page : descriptors()) {
        if (workspaceOf(page.group) != m_workspace)
            continue;
        if (group != page.group)
            m_rail->addGroup(groupName(page.group));
        group = page.group;
        m_rail->addPage(page.name, page.title, page.icon);
    }
}

void Workspaces::connectPage(Page& page)
{
    connect(&page, &Page::pageWanted, this, &Workspaces::show);
    connect(&page, &Page::messageWanted, this, &Workspaces::messageWanted);
    connect(&page, &Page::numberWanted, this, &Workspaces::traceNumber);
    connect(&page, &Page::hintChanged, this, [this, &page] {
        if (isInFront(page))
            emit hintChanged(page.hint());
    });
    const auto* modes = qobject_cast<ModePage*>(&page);
    if (!modes)
        return;
    connect(modes, &ModePage::modeChanged, this, [this, &page] {
        if (!m_place.isEmpty() && isInFront(page))
            notePlace();
    });
    connect(modes, &ModePage::modesOffered, this, [this, &page] {
        if (isInFront(page))
            m_header->show(currentDescriptor(), page);
    });
}

void Workspaces::traceNumber(const ShownNumber& number)
{
    const QString from = currentName();
    show("origin");
    auto& origin = find<OriginPage>();
    origin.trace(number.number, number.variant, from);
    origin.focusMain();
}

// ---------------------------------------------------------------------------- the page in front

void Workspaces::show(const QString& place)
{
    const auto index = m_stack->indexOf(place);
    if (!index) {
        if (m_place.isEmpty())
            show(descriptors().front().name); // an unknown name in the settings
        return;
    }
    if (auto* modes = qobject_cast<ModePage*>(&m_stack->page(*index)))
        modes->setMode(place);
    bringToFront(*index);
}

void Workspaces::goTo(const QString& page)
{
    if (const auto index = m_stack->indexOf(page))
        bringToFront(*index);
}

void Workspaces::showWorkspace(Workspace workspace)
{
    show(m_settings.text(pageSetting(workspace)));
}

void Workspaces::showPrevious()
{
    if (!m_previous.isEmpty())
        show(m_previous);
}

void Workspaces::setCompact(bool compact)
{
    m_switch->setCompact(compact);
    m_rail->setCompact(compact);
    m_notes->setCompact(compact);
}

void Workspaces::bringToFront(std::size_t index)
{
    Page& wanted = m_stack->page(index);
    for (int other = 0; other < m_stack->count(); ++other) // hidden pages do not enlarge the window
        m_stack->widget(other)->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    wanted.setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    emit aboutToShow(wanted);
    m_front = index;
    m_stack->setCurrentWidget(&wanted);
    notePlace();
}

/// Everything that follows the page in front, or its mode.
void Workspaces::notePlace()
{
    Page& page = current();
    if (page.place() != m_place)
        m_previous = std::exchange(m_place, page.place());
    const Workspace now = workspace();
    m_settings.set(Setting::Page, m_place);
    m_settings.set(pageSetting(now), m_place);
    const bool isOther = m_workspace != now;
    m_workspace = now;
    if (isOther) {
        fillRail();
        m_notes->show(now);
    }
    m_switch->setCurrent(now);
    m_rail->setCurrentPage(page.objectName());
    m_header->show(currentDescriptor(), page);
    if (isOther)
        emit workspaceChanged();
    emit hintChanged(page.hint());
    emit shown(page);
}

bool Workspaces::isInFront(const Page& page) const
{
    return m_stack->currentWidget() == &page;
}

Workspace Workspaces::workspace() const
{
    return workspaceOf(descriptors()[m_front].group);
}

const PageDescriptor& Workspaces::currentDescriptor() const
{
    const PageDescriptor& page = descriptors()[m_front];
    const auto* modes = qobject_cast<ModePage*>(&current());
    return modes ? page.modes[static_cast<std::size_t>(modes->mode())] : page;
}

} // namespace headscope::ui
