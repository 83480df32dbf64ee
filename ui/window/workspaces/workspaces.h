#pragma once

#include "ui/pages/shared/page_descriptor.h"
#include "ui/session/settings.h"

#include <QStackedWidget>

#include <vector>

namespace headscope::ui {

class Rail;

/// The pages of the window: the rail that names them, the stack that holds them, and the one in
/// front, which is remembered.
class Workspaces : public QObject
{
    Q_OBJECT

public:
    Workspaces(Session& session, Settings& settings, Rail& rail, QWidget& parent);

    Rail& rail() { return m_rail; }

    QStackedWidget& stack() { return *m_stack; }

    const std::vector<PageDescriptor>& descriptors() const { return m_descriptors; }

    void show(const QString& name);
    QString currentName() const;
    Page& current() const;
    const PageDescriptor& currentDescriptor() const;

    template<class View>
    View& find() const
    {
        return *m_stack->findChild<View*>(QString(), Qt::FindDirectChildrenOnly);
    }

    Page& pageAt(std::size_t index) const; ///< of descriptors()[index]

signals:
    void aboutToShow(const headscope::ui::Page& page);
    void shown(const headscope::ui::Page& page);
    void hintChanged(const QString& hint); ///< what the keys do on the page in front
    void messageWanted(const QString& sentence);

private:
    void makePages();
    void fillRail();
    void coverWhileCaptured(Page& page, const QString& why);
    void connectPage(Page& page);
    void connectSettings();
    void traceNumber(const ShownNumber& number);

    Session& m_session;
    Settings& m_settings;
    Rail& m_rail;
    std::vector<PageDescriptor> m_descriptors;
    QStackedWidget* m_stack;
};

} // namespace headscope::ui
