#pragma once

#include "ui/pages/shared/page_descriptor.h"

#include <vector>

namespace headscope::ui {

/// A page of several modes, each a page in itself. A mode is chosen by its descriptor's name, so
/// whatever names a mode (a session, a lesson, the command line) opens the page in it.
class ModePage : public Page
{
    Q_OBJECT

public:
    ModePage(Session& session, const std::vector<PageDescriptor>& modes);

    void setMode(const QString& name); ///< ignores names of other pages

    int mode() const { return m_mode; }

    const std::vector<Page*>& modePages() const { return m_pages; }

    /// True where the person can choose between the modes now.
    virtual bool offersModes() const { return true; }

    QString place() const override { return m_names[m_mode]; }

    Figure figure() const override { return current().figure(); }

    void focusMain() override { current().focusMain(); }

    /// Those of the first mode, and which mode is chosen. The others keep theirs under their own
    /// names; see WindowFiles::state().
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;

    QString hint() const override { return current().hint(); }

    void setReducedMotion(bool reduced) override;

    bool wantsInspector() const override { return current().wantsInspector(); }

    bool isSettled() const override { return current().isSettled(); }

    bool escape() override { return current().escape(); }

    MaybeNumber numberAt(std::optional<QPoint> place) const override;

    QString whyNoNumber() const override { return current().whyNoNumber(); }

signals:
    void modeChanged();
    void modesOffered(); ///< offersModes() may have changed

protected:
    void refresh(ChangeSet) override {}

    Page& current() const { return *m_pages[static_cast<std::size_t>(m_mode)]; }

    virtual void arrange(); ///< shows the pages of the chosen mode

private:
    void addMode(const PageDescriptor& mode);

    QStringList m_names;
    std::vector<Page*> m_pages;
    int m_mode = 0;
};

/// The descriptor of a page of these modes, named and grouped as the first.
template<class View = ModePage>
PageDescriptor pageOfModes(std::vector<PageDescriptor> modes)
{
    PageDescriptor page = modes.front();
    page.make = [modes](Session& session) -> Page* { return new View(session, modes); };
    page.modes = std::move(modes);
    return page;
}

} // namespace headscope::ui
