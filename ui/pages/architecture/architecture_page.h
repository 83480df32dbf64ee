#pragma once

#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"

class QScrollArea;

namespace headscope::ui {

class ArchitectureWidget;
class EmptyState;

/// Data-flow diagram of the loaded model with shapes and parameter counts; boxes link to pages.
class ArchitecturePage : public Page
{
    Q_OBJECT

public:
    explicit ArchitecturePage(Session& session);

    static PageDescriptor descriptor();

    Figure figure() const override;
    QString hint() const override;
    bool escape() override;

    bool wantsInspector() const override { return false; }

protected:
    void refresh(ChangeSet changes) override;

private:
    void open(int box);

    ArchitectureWidget* m_diagram;
    QScrollArea* m_scroll;
    EmptyState* m_empty;
};

} // namespace headscope::ui
