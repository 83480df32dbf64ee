#include "ui/window/workspaces/page_stack.h"

#include "ui/pages/shared/empty_state.h"
#include "ui/session/session.h"
#include "ui/widgets/readable.h"
#include "ui/window/frame/motion.h"

#include <algorithm>

namespace headscope::ui {

namespace {

const QString kScale = QStringLiteral("scale");

QStringList namesOf(const PageDescriptor& page)
{
    QStringList names{page.name};
    for (const PageDescriptor& mode : page.modes)
        names << mode.name;
    names.removeDuplicates(); // the first mode has the name of its page
    return names;
}

/// A page and its modes, each with its name.
QList<Page*> named(Page& page)
{
    QList<Page*> pages = page.findChildren<Page*>();
    pages.prepend(&page);
    pages.removeIf([](const Page* one) { return one->objectName().isEmpty(); });
    return pages;
}

} // namespace

PageStack::PageStack(Session& session, Settings& settings, QWidget* parent)
    : QStackedWidget(parent)
    , m_session(session)
    , m_settings(settings)
    , m_descriptors(pageDescriptors())
    , m_pages(m_descriptors.size(), nullptr)
{
    connect(&m_settings, &Settings::changed, this, &PageStack::takeSetting);
}

std::optional<std::size_t> PageStack::indexOf(const QString& place) const
{
    const auto found = std::ranges::find_if(m_descriptors, [&place](const PageDescriptor& page) {
        return namesOf(page).contains(place);
    });
    if (found == m_descriptors.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - m_descriptors.begin());
}

Page& PageStack::page(std::size_t index)
{
    if (!m_pages[index])
        make(index);
    return *m_pages[index];
}

void PageStack::whenMade(QObject& context, const Use& use)
{
    connect(this, &PageStack::made, &context, use);
    for (std::size_t index = 0; index < m_pages.size(); ++index) {
        if (m_pages[index])
            use(*m_pages[index], index);
    }
}

// --------------------------------------------------------------------------------- the first visit

void PageStack::make(std::size_t index)
{
    const PageDescriptor& descriptor = m_descriptors[index];
    Page* page = descriptor.make(m_session);
    m_pages[index] = page;
    page->setObjectName(descriptor.name);
    page->setAccessibleName(descriptor.title);
    page->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored); // while it is not in front
    makeReadable(*page, QAccessible::Grouping);
    addWidget(page);
    if (!descriptor.whyModel.isEmpty())
        coverWhileCaptured(*page, descriptor.whyModel);
    applySettings(*page);
    for (const Page* one : named(*page))
        m_first.insert(one->objectName(), one->options());
    emit made(*page, index);
    for (Page* one : named(*page)) {
        const QJsonObject stored = m_stored.take(one->objectName()).toObject();
        if (!stored.isEmpty())
            one->setOptions(stored);
    }
}

/// Covers a page that needs a model while only a captured trace is open.
void PageStack::coverWhileCaptured(Page& page, const QString& why)
{
    auto* cover = new EmptyState(&page);
    cover->setObjectName("needsModel");
    cover->setAutoFillBackground(true);
    cover->setTexts(tr("This page needs a model"), why, {});
    const auto follow = [this, cover] {
        cover->setVisible(m_session.isCaptured());
        cover->raise();
    };
    connect(&m_session, &Session::modelChanged, cover, follow);
    follow();
}

// --------------------------------------------------------------------------------------- settings

/// Pages without a choice of the scale do not know the key.
QJsonObject PageStack::scaleOption() const
{
    return {{kScale, m_settings.text(Setting::Scale)}};
}

void PageStack::applySettings(Page& page)
{
    page.setReducedMotion(wantsReducedMotion(m_settings));
    if (m_settings.text(Setting::Scale) != Settings(Settings::Storage::Memory).text(Setting::Scale))
        page.setOptions(scaleOption());
}

void PageStack::takeSetting(Setting setting)
{
    for (Page* page : m_pages) {
        if (page && setting == Setting::Motion)
            page->setReducedMotion(wantsReducedMotion(m_settings));
        else if (page && setting == Setting::Scale)
            page->setOptions(scaleOption());
    }
    if (setting != Setting::Scale)
        return;
    for (const QString& name : m_stored.keys()) { // newer than what the session says
        QJsonObject options = m_stored.value(name).toObject();
        if (!options.contains(kScale))
            continue;
        options.insert(kScale, m_settings.text(Setting::Scale));
        m_stored.insert(name, options);
    }
}

// ---------------------------------------------------------------------------------------- sessions

QJsonObject PageStack::options() const
{
    QJsonObject all;
    for (std::size_t index = 0; index < m_pages.size(); ++index) {
        if (!m_pages[index]) {
            for (const QString& name : namesOf(m_descriptors[index]))
                all.insert(name, m_stored.value(name).toObject());
            continue;
        }
        for (const Page* one : named(*m_pages[index]))
            all.insert(one->objectName(), one->options());
    }
    return all;
}

void PageStack::store(std::size_t index, const QJsonObject& pages)
{
    const PageDescriptor& descriptor = m_descriptors[index];
    for (const QString& name : namesOf(descriptor)) {
        if (pages.value(name).isObject())
            m_stored.insert(name, pages.value(name));
    }
    if (optionsReachBeyond(descriptor.name) &&
        !m_stored.value(descriptor.name).toObject().isEmpty())
        make(index);
}

void PageStack::setOptions(const QJsonObject& pages)
{
    for (std::size_t index = 0; index < m_pages.size(); ++index) {
        if (!m_pages[index]) {
            store(index, pages);
            continue;
        }
        for (Page* one : named(*m_pages[index])) {
            const QString name = one->objectName();
            const QJsonObject options = pages.value(name).toObject();
            if (pages.value(name).isObject())
                one->setOptions(options.isEmpty() ? m_first.value(name).toObject() : options);
        }
    }
}

} // namespace headscope::ui
