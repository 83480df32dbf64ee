#pragma once

#include "ui/session/settings.h"
#include "ui/window/workspaces/pages.h"

#include <QJsonObject>
#include <QStackedWidget>

#include <functional>
#include <optional>
#include <vector>

namespace headscope::ui {

/// The pages of the window, one above the other. The widgets of a page are made on its first
/// visit; until then the stack keeps its descriptor, and its options of a session as they are.
class PageStack : public QStackedWidget
{
    Q_OBJECT

public:
    PageStack(Session& session, Settings& settings, QWidget* parent);

    const std::vector<PageDescriptor>& descriptors() const { return m_descriptors; }

    /// Index in descriptors() of the page with this name, or with a mode of this name.
    std::optional<std::size_t> indexOf(const QString& place) const;

    Page& page(std::size_t index); ///< Makes it on the first call.

    /// The page or mode of this type; makes its page on the first call.
    template<class View>
    View& find()
    {
        return viewIn<View>(page(*indexOf(View::descriptor().name)));
    }

    using Use = std::function<void(Page& page, std::size_t index)>;

    /// Calls `use` with every page, once it is made.
    void whenMade(QObject& context, const Use& use);

    /// Calls `use` with the page or mode of this type, once it is made.
    template<class View>
    void whenMade(QObject& context, const std::function<void(View&)>& use)
    {
        whenMade(context,
                 [wanted = indexOf(View::descriptor().name), use](Page& page, std::size_t index) {
                     if (index == wanted)
                         use(viewIn<View>(page));
                 });
    }

    /// Options of all pages and modes by name, for a session. Those of pages that were never
    /// visited are the stored ones; an empty object means the options that a new page has.
    QJsonObject options() const;

    /// Sets the options of the pages named in `pages`, and stores those of pages to come.
    void setOptions(const QJsonObject& pages);

signals:
    /// Emitted when the widgets of a page were made, before its stored options are set.
    void made(headscope::ui::Page& page, std::size_t index);

private:
    template<class View>
    static View& viewIn(Page& page)
    {
        auto* view = qobject_cast<View*>(&page);
        return view ? *view : *page.findChild<View*>();
    }

    void make(std::size_t index);
    void store(std::size_t index, const QJsonObject& pages);
    void coverWhileCaptured(Page& page, const QString& why);
    void applySettings(Page& page);
    void takeSetting(Setting setting);
    QJsonObject scaleOption() const;

    Session& m_session;
    Settings& m_settings;
    std::vector<PageDescriptor> m_descriptors;
    std::vector<Page*> m_pages; ///< One for each descriptor; null before the first visit.
    QJsonObject m_first;        ///< Options that pages and modes had when they were made.
    QJsonObject m_stored;       ///< Options of pages and modes to come.
};

} // namespace headscope::ui
