#include "ui/window/workspaces/workspaces.h"

#include "ui/pages/qk/origin_page.h"
#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/mode_page.h"
#include "ui/session/session.h"
#include "ui/widgets/readable.h"
#include "ui/window/frame/motion.h"
#include "ui/window/workspaces/page_header.h"
#include "ui/window/workspaces/rail.h"
#include "ui/window/workspaces/rail_notes.h"
#include "ui/window/workspaces/workspace_switch.h"

#include <QJsonObject>

#include <algorithm>
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
    , m_session(session)
    , m_settings(settings)
    , m_descriptors(pageDescriptors())
    , m_side(new QWidget(&parent))
    , m_switch(new WorkspaceSwitch(m_side))
    , m_rail(new Rail(m_side))
    , m_notes(new RailNotes(session, settings, m_side))
    , m_header(new PageHeader(&parent))
    , m_stack(new QStackedWidget(&parent))
{
    columnOf(0, {m_switch, {m_rail, 1}, m_notes}, m_side)
        ->setSizeConstraint(QLayout::SetMinAndMaxSize); // never wider than the rail
    makePages();
    QStringList titles;
    for (const PageDescriptor& page : m_descriptors)
        titles << page.title;
    m_rail->reserve(titles);
    connect(m_switch, &WorkspaceSwitch::chosen, this, &Workspaces::showWorkspace);
    connect(m_rail, &Rail::pageChosen, this, &Workspaces::goTo);
    connect(m_header, &PageHeader::modeChosen, this, &Workspaces::show);
    connectSettings();
}

void Workspaces::makePages()
{
    for (const PageDescriptor& descriptor : m_descriptors) {
        Page* page = descriptor.make(m_session);
        page->setObjectName(descriptor.name);
        page->setAccessibleName(descriptor.title);
        makeReadable(*page, QAccessible::Grouping);
        m_stack->addWidget(page);
        if (!descriptor.whyModel.isEmpty())
            coverWhileCaptured(*page, descriptor.whyModel);
        connectPage(*page);
    }
}

void Workspaces::fillRail()
{
    m_rail->clear();
    std::optional<PageGroup> group;
    for (const PageDescriptor& page : m_descriptors) {
        if (workspaceOf(page.group) != m_workspace)
            continue;
        if (group != page.group)
            m_rail->addGroup(groupName(page.group));
        group = page.group;
        m_rail->addPage(page.name, page.title, page.icon);
    }
}

/// Covers a page that needs a model while only a captured trace is open.
void Workspaces::coverWhileCaptured(Page& page, const QString& why)
{
    auto* stepView = new EmptyState(&page);
    stepView->setObjectName("needsModel");
    stepView->setAutoFillBackground(true);
    stepView->setTexts(tr("This page needs a model"), why, {});
    const auto follow = [this, stepView] {
        stepView->setVisible(m_session.isCaptured());
        stepView->raise();
    };
    connect(&m_session, &Session::modelChanged, stepView, follow);
    follow();
}

void Workspaces::connectPage(Page& page)
{
    connect(&page, &Page::pageWanted, this, &Workspaces::show);
    connect(&page, &Page::messageWanted, this, &Workspaces::messageWanted);
    connect(&page, &Page::numberWanted, this, &Workspaces::traceNumber);
    connect(&page, &Page::hintChanged, this, [this, &page] {
        if (&page == &current())
            emit hintChanged(page.hint());
    });
    const auto* modes = qobject_cast<ModePage*>(&page);
    if (!modes)
        return;
    connect(modes, &ModePage::modeChanged, this, [this, &page] {
        if (!m_place.isEmpty() && &page == &current())
            notePlace();
    });
    connect(modes, &ModePage::modesOffered, this, [this, &page] {
        if (&page == &current())
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

void Workspaces::connectSettings()
{
    const auto follow = [this](Setting setting) {
        const QJsonObject scale{{"scale", m_settings.text(Setting::Scale)}};
        for (std::size_t index = 0; index < m_descriptors.size(); ++index) {
            if (setting == Setting::Motion)
                pageAt(index).setReducedMotion(wantsReducedMotion(m_settings));
            else if (setting == Setting::Scale)
                pageAt(index).setOptions(scale); // pages without such a choice do not know the key
        }
    };
    connect(&m_settings, &Settings::changed, this, follow);
    follow(Setting::Motion);
    if (m_settings.text(Setting::Scale) != Settings(Settings::Storage::Memory).text(Setting::Scale))
        follow(Setting::Scale);
}

// ---------------------------------------------------------------------------- the page in front

std::optional<std::size_t> Workspaces::find(const QString& place) const
{
    const auto isNamed = [&place](const PageDescriptor& page) { return page.name == place; };
    for (std::size_t index = 0; index < m_descriptors.size(); ++index) {
        const PageDescriptor& page = m_descriptors[index];
        if (isNamed(page) || std::ranges::any_of(page.modes, isNamed))
            return index;
    }
    return std::nullopt;
}

void Workspaces::show(const QString& place)
{
    const auto index = find(place);
    if (!index) {
        if (m_place.isEmpty())
            show(m_descriptors.front().name); // an unknown name in the settings
        return;
    }
    if (auto* modes = qobject_cast<ModePage*>(&pageAt(*index)))
        modes->setMode(place);
    bringToFront(*index);
}

void Workspaces::goTo(const QString& page)
{
    if (const auto index = find(page))
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
    for (std::size_t other = 0; other < m_descriptors.size(); ++other)
        pageAt(other).setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    Page& wanted = pageAt(index); // hidden pages do not hold the window open
    wanted.setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    emit aboutToShow(wanted);
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

Page& Workspaces::current() const
{
    return *static_cast<Page*>(m_stack->currentWidget());
}

Workspace Workspaces::workspace() const
{
    return workspaceOf(m_descriptors[static_cast<std::size_t>(m_stack->currentIndex())].group);
}

const PageDescriptor& Workspaces::currentDescriptor() const
{
    const PageDescriptor& page = m_descriptors[static_cast<std::size_t>(m_stack->currentIndex())];
    const auto* modes = qobject_cast<ModePage*>(m_stack->currentWidget());
    return modes ? page.modes[static_cast<std::size_t>(modes->mode())] : page;
}

Page& Workspaces::pageAt(std::size_t index) const
{
    return *static_cast<Page*>(m_stack->widget(static_cast<int>(index)));
}

} // namespace headscope::ui
