#include "ui/pages/architecture/architecture_page.h"

#include "ui/pages/architecture/architecture_figure.h"
#include "ui/pages/architecture/architecture_widget.h"
#include "ui/pages/shared/column_scroll.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/page_frame.h"

namespace headscope::ui {

ArchitecturePage::ArchitecturePage(Session& session)
    : Page(session)
    , m_diagram(new ArchitectureWidget)
    , m_scroll(new ColumnScroll(m_diagram, this))
    , m_empty(new EmptyState(this))
{
    new PageFrame(*this, {m_scroll}, 8, {24, 16, 12, 8});
    m_empty->askForModel();
    connect(m_diagram, &ArchitectureWidget::boxOpened, this, &ArchitecturePage::open);
    connect(m_diagram, &ArchitectureWidget::boxMoved, this, [this](int box) {
        const QRect rect = m_diagram->layoutNow().boxRect(box).toAlignedRect();
        m_scroll->ensureVisible(rect.center().x(), rect.center().y(), 100, rect.height());
    });
    setMainWidget(*m_diagram);
}

void ArchitecturePage::refresh(ChangeSet)
{
    m_diagram->setContent(architectureContent(session().viewSnapshot()));
    const bool empty = m_diagram->content().parts.boxes.empty();
    m_empty->setVisible(empty);
    m_scroll->setVisible(!empty);
}

void ArchitecturePage::open(int index)
{
    const ArchitectureBox box = m_diagram->content().parts.boxes[static_cast<std::size_t>(index)];
    if (box.layer >= 0) {
        if (box.part != session().selection().part)
            session().view().activatePart(box.part);
        session().view().activateHead(box.layer, session().selection().head);
    }
    if (!box.page.isEmpty())
        emit pageWanted(box.page);
}

Figure ArchitecturePage::figure() const
{
    return architectureFigure(session().viewSnapshot(), options());
}

QString ArchitecturePage::hint() const
{
    return tr("Arrows move between boxes \u00B7 Enter opens the page for a part \u00B7 PgUp "
              "PgDn change the block");
}

bool ArchitecturePage::escape()
{
    const bool had = m_diagram->content().current.has_value();
    m_diagram->setCurrent(std::nullopt);
    return had;
}

PageDescriptor ArchitecturePage::descriptor()
{
    return {.name = "architecture",
            .title = tr("Architecture"),
            .question = tr("How is this model built?"),
            .group = PageGroup::Inside,
            .icon = "<path d='M5.5 2v16M5.5 5h4M5.5 14h4'/><rect x='9.5' y='2.75' width='8' "
                    "height='5' rx='1'/><rect x='9.5' y='11.5' width='8' height='5' rx='1' "
                    "fill='@'/>",
            .help = tr("See the open model as a diagram with tensor shapes and parameter "
                       "counts. Click a part to open its page."),
            .terms = {"residual stream", "block", "layer"},
            .make = makePage<ArchitecturePage>,
            .figure = architectureFigure,
            .whyModel = tr("A captured trace does not include the model's architecture. Open "
                           "the model to see it.")};
}

} // namespace headscope::ui
