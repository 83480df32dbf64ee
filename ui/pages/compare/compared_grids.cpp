#include "ui/pages/compare/compared_grids.h"

#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/maps/shown_number.h"
#include "ui/widgets/labels.h"

#include <QHBoxLayout>

#include <utility>

namespace headscope::ui {

ComparedGrids::ComparedGrids(QWidget* parent)
    : QScrollArea(parent)
    , m_a(new LensGrid)
    , m_b(new LensGrid)
{
    m_a->setObjectName("gridA");
    m_b->setObjectName("gridB");
    auto* content = new QWidget;
    content->setProperty("role", "page");
    auto* row = new QHBoxLayout(content);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(32);
    m_a->setAccessibleName(tr("Predictions of A: tokens down, layers across"));
    m_b->setAccessibleName(tr("Predictions of B: tokens down, layers across"));
    add(row, m_a, tr("A"),
        tr("prediction of each layer (logit lens); drag a cell onto B to "
           "patch it"));
    add(row, m_b, tr("B"), tr("dot: top-1 token differs from A; outline: reached by a patch"));
    setProperty("role", "page");
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setWidget(content);
    connectGrids();
}

void ComparedGrids::add(QHBoxLayout* row, LensGrid* grid, const QString& letter,
                        const QString& note)
{
    QWidget* content = row->parentWidget();
    auto* title =
        rowOf(12, {heading(letter, content),
                   {new TextLabel(note, TextRole::Body, TextLabel::Tone::Text2, content), 1}});
    auto* column = columnOf(4, {title, grid, Placed::space()});
    row->addLayout(column, 1);
}

void ComparedGrids::connectGrids()
{
    connect(m_a, &LensGrid::cellOpened, this, [this](HeatmapCell cell) {
        pick(cell);
        m_b->setFocus(Qt::OtherFocusReason);
        m_b->setCurrent(cell);
    });
    connect(m_b, &LensGrid::cellOpened, this, &ComparedGrids::drop);
    connect(m_a, &LensGrid::dragged, this, &ComparedGrids::pick);
    connect(m_a, &LensGrid::dropped, this, [this](QPoint place) {
        if (const auto cell = m_b->cellAt(m_b->mapFromGlobal(place)))
            drop(*cell);
        else
            putDown();
    });
}

void ComparedGrids::setContents(LensContent a, LensContent b)
{
    a.current = m_a->content().current;
    b.current = m_b->content().current;
    a.picked = m_carried;
    m_a->setContent(std::move(a));
    m_b->setContent(std::move(b));
}

std::optional<ComparedGrids::VariantCell> ComparedGrids::cellAt(std::optional<QPoint> place) const
{
    if (!place) {
        const Variant variant = m_b->hasFocus() ? Variant::B : Variant::A;
        const auto current = (variant == Variant::B ? m_b : m_a)->content().current;
        return current ? std::optional(VariantCell{variant, *current}) : std::nullopt;
    }
    for (const auto& [variant, grid] : {std::pair(Variant::A, m_a), std::pair(Variant::B, m_b)}) {
        const auto inside = within(*grid, place);
        if (const auto cell = inside ? grid->cellAt(*inside) : std::nullopt)
            return VariantCell{variant, *cell};
    }
    return std::nullopt;
}

void ComparedGrids::pick(HeatmapCell cell)
{
    m_carried = cell;
    emit carriedChanged();
}

void ComparedGrids::drop(HeatmapCell cell)
{
    if (!m_carried)
        return;
    const HeatmapCell from = *m_carried;
    putDown();
    emit dropped(from, cell);
}

bool ComparedGrids::putDown()
{
    if (!m_carried)
        return false;
    m_carried.reset();
    emit carriedChanged();
    return true;
}

} // namespace headscope::ui
