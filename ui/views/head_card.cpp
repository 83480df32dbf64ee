#include "ui/views/head_card.h"

#include "ui/widgets/heatmap_widget.h"
#include "ui/widgets/labels.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace headscope::ui {

namespace {

QLayout* line(QWidget* left, QWidget* right)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(left, 1, Qt::AlignBottom);
    row->addWidget(right, 0, Qt::AlignRight | Qt::AlignBottom);
    return row;
}

} // namespace

HeadCard::HeadCard(QWidget* parent)
    : QWidget(parent)
    , m_title(new TextLabel({}, TextRole::Title, TextLabel::Tone::Text, this))
    , m_group(caption({}, this))
    , m_rank(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_figure(new TextLabel({}, TextRole::Figure, TextLabel::Tone::Text, this))
    , m_mapTitle(heading({}, this))
    , m_mapNote(caption({}, this))
    , m_map(new HeatmapWidget(this))
    , m_distances(new BarsWidget(this))
    , m_distanceNote(caption({}, this))
    , m_open(new QPushButton(tr("Open this head"), this))
    , m_off(new QPushButton(this))
{
    HeatmapOptions options;
    options.numbers = options.rowLabels = options.columnLabels = options.corner = false;
    m_map->setOptions(options);
    m_map->setAccessibleName(tr("This head in small"));
    m_map->setMinimumHeight(120);
    m_distances->setAccessibleName(tr("How far back it looks"));
    m_open->setProperty("role", "primary");
    m_rank->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 16, 24, 16);
    column->setSpacing(8);
    column->addLayout(line(m_title, m_group));
    column->addLayout(line(m_rank, m_figure));
    column->addSpacing(4);
    column->addWidget(new Hairline(Qt::Horizontal, this));
    column->addSpacing(4);
    column->addLayout(line(m_mapTitle, m_mapNote));
    column->addWidget(m_map, 1);
    column->addSpacing(4);
    column->addWidget(new Hairline(Qt::Horizontal, this));
    column->addSpacing(4);
    column->addWidget(heading(tr("How far back it looks"), this));
    column->addWidget(m_distances);
    column->addWidget(m_distanceNote);
    column->addSpacing(8);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_open);
    buttons->addWidget(m_off);
    buttons->addStretch(1);
    column->addLayout(buttons);
    connect(m_open, &QPushButton::clicked, this, &HeadCard::openWanted);
    connect(m_off, &QPushButton::clicked, this, [this] { emit offWanted(!m_content.isOff); });
}

void HeadCard::setContent(HeadCardContent content)
{
    m_content = std::move(content);
    m_title->setText(m_content.title);
    m_group->setText(m_content.group);
    m_rank->setText(m_content.rank);
    m_figure->setText(m_content.figure);
    m_mapTitle->setText(m_content.mapTitle);
    m_mapNote->setText(m_content.mapNote);
    m_map->setContent(m_content.map);
    m_distances->setBars(m_content.distances);
    m_distanceNote->setText(m_content.distanceNote);
    m_off->setText(m_content.isOff ? tr("Switch on") : tr("Switch off"));
}

} // namespace headscope::ui
