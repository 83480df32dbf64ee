#pragma once

#include "ui/session/settings.h"
#include "ui/window/workspaces/page_stack.h"

#include <optional>

namespace headscope::ui {

class PageHeader;
class Rail;
class RailNotes;
class WorkspaceSwitch;

/// The pages of the window in three workspaces: the switch between these, the rail that lists the
/// pages of one, and the page in front, which is remembered. A *place* is the name of a page or of
/// its mode. Only pages that were visited have widgets; see PageStack.
class Workspaces : public QObject
{
    Q_OBJECT

public:
    Workspaces(Session& session, Settings& settings, QWidget& parent);

    QWidget& side() { return *m_side; } ///< workspaces, pages, and what these list

    RailNotes& notes() { return *m_notes; }

    Rail& rail() { return *m_rail; }

    PageHeader& header() { return *m_header; } ///< title and question of the page in front

    PageStack& stack() { return *m_stack; }

    const std::vector<PageDescriptor>& descriptors() const { return m_stack->descriptors(); }

    void show(const QString& place);         ///< a page in its first mode, or another mode
    void goTo(const QString& page);          ///< Shows it in the mode that it was left in
    void showWorkspace(Workspace workspace); ///< at the page that it was left at
    void showPrevious();                     ///< back and forth between the last two places
    void setCompact(bool compact);           ///< icons only

    const QString& currentName() const { return m_place; } ///< the place in front

    Page& current() const { return m_stack->page(m_front); }

    Workspace workspace() const;
    const PageDescriptor& currentDescriptor() const; ///< Descriptor of the mode in front

    /// The page or mode of this type, without showing it.
    template<class View>
    View& find() const
    {
        return m_stack->find<View>();
    }

signals:
    void aboutToShow(const headscope::ui::Page& page);
    void shown(const headscope::ui::Page& page);
    void workspaceChanged();
    void hintChanged(const QString& hint); ///< Keys of the page in front
    void messageWanted(const QString& sentence);

private:
    void fillRail();
    void connectPage(Page& page);
    void traceNumber(const ShownNumber& number);
    bool isInFront(const Page& page) const;
    void bringToFront(std::size_t index);
    void notePlace();

    Settings& m_settings;
    QWidget* m_side;
    WorkspaceSwitch* m_switch;
    Rail* m_rail;
    RailNotes* m_notes;
    PageHeader* m_header;
    PageStack* m_stack;
    std::size_t m_front = 0;              ///< Index of the page in front.
    std::optional<Workspace> m_workspace; ///< whose pages the rail lists
    QString m_place;
    QString m_previous; ///< the place before it
};

} // namespace headscope::ui
