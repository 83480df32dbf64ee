#include "ui/window/workspaces/workspaces.h"

#include "ui/pages/origin/origin_page.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/session/session.h"
#include "ui/widgets/readable.h"
#include "ui/window/frame/motion.h"
#include "ui/window/workspaces/pages.h"
#include "ui/window/workspaces/rail.h"

#include <QJsonObject>

#include <optional>

namespace headscope::ui {

Workspaces::Workspaces(Session& session, Settings& settings, Rail& rail, QWidget& parent)
    : QObject(&parent)
    , m_session(session)
    , m_settings(settings)
    , m_rail(rail)
    , m_descriptors(pageDescriptors())
    , m_stack(new QStackedWidget(&parent))
{
    makePages();
    fillRail();
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
    std::optional<PageGroup> group;
    for (const PageDescriptor& page : m_descriptors) {
        if (group != page.group)
            m_rail.addGroup(groupName(page.group));
        group = page.group;
        m_rail.addPage(page.name, page.title, page.icon);
    }
    connect(&m_rail, &Rail::pageChosen, this, &Workspaces::show);
}

/// A sheet over a page that a captured trace is not enough for.
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

void Workspaces::show(const QString& name)
{
    auto* wanted = m_stack->findChild<Page*>(name, Qt::FindDirectChildrenOnly);
    if (!wanted) {
        if (currentName().isEmpty())
            show(m_descriptors.front().name); // an unknown name in the settings
        return;
    }
    for (std::size_t other = 0; other < m_descriptors.size(); ++other)
        pageAt(other).setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    wanted->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    emit aboutToShow(*wanted);
    m_stack->setCurrentWidget(wanted); // hidden pages do not hold the window open
    m_rail.setCurrentPage(name);
    m_settings.set(Setting::Page, name);
    emit hintChanged(wanted->hint());
    emit shown(*wanted);
}

QString Workspaces::currentName() const
{
    return m_rail.currentPage();
}

Page& Workspaces::current() const
{
    return *static_cast<Page*>(m_stack->currentWidget());
}

const PageDescriptor& Workspaces::currentDescriptor() const
{
    return m_descriptors[static_cast<std::size_t>(m_stack->currentIndex())];
}

Page& Workspaces::pageAt(std::size_t index) const
{
    return *static_cast<Page*>(m_stack->widget(static_cast<int>(index)));
}

} // namespace headscope::ui
