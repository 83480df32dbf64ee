#include "ui/pages/heads/head_card.h"

#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/column_scroll.h"
#include "ui/pages/shared/whole_texts.h"
#include "ui/widgets/charts/bars/spectrum.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/labels.h"

#include <QCoreApplication>
#include <QEvent>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace headscope::ui {

namespace {

constexpr int kMargin = 24;

QLayout* line(QWidget* left, QWidget* right)
{
    return rowOf(8, {{left, 1, Qt::AlignBottom}, {right, 0, Qt::AlignRight | Qt::AlignBottom}});
}

/// A tab that scrolls when the window is low.
QWidget* scrolled(QWidget* tab, QWidget* parent)
{
    new WholeTexts(*tab); // a scrolled tab requests no height for width
    return transparentScroll(tab, parent);
}

QVBoxLayout* columnOf(QWidget* tab)
{
    auto* column = new QVBoxLayout(tab);
    column->setContentsMargins(0, 4, 0, 4);
    column->setSpacing(6);
    return column;
}

} // namespace

HeadCard::HeadCard(QWidget* parent)
    : QWidget(parent)
    , m_title(new TextLabel({}, TextRole::Title, TextLabel::Tone::Text, this))
    , m_group(caption({}, this))
    , m_rank(paragraph({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_figure(new TextLabel({}, TextRole::Figure, TextLabel::Tone::Text, this))
    , m_tab(new SegmentBar(this))
    , m_tabs(new QStackedWidget(this))
    , m_open(new QPushButton(tr("Open this head"), this))
    , m_off(new QPushButton(this))
{
    m_tab->setSegments({{tr("Role"), tr("What the head does, with evidence")},
                        {tr("Scores"), tr("All scores and ranks of this head")},
                        {tr("Tokens"), tr("Most-attending and most-attended tokens, and "
                                          "similar heads")},
                        {tr("Weights"), tr("What the weights alone show")}});
    m_tab->setAccessibleName(tr("Tabs of the card"));
    for (QWidget* tab : {makeDoes(), makeScores(), makeTokens(), makeWeights()})
        m_tabs->addWidget(scrolled(tab, m_tabs));
    auto* column =
        columnOf(8, {makeHead(), {m_tab, 0, Qt::AlignLeft}, {m_tabs, 1}, makeButtons()}, this);
    column->setContentsMargins(kMargin, 16, kMargin, 16);
    connect(m_tab, &SegmentBar::currentChanged, this, [this](int tab) {
        setTab(tab);
        emit tabChanged(tab);
    });
    setTab(0);
}

QLayout* HeadCard::makeHead()
{
    m_title->setObjectName("title");
    m_rank->setObjectName("rank");
    m_figure->setObjectName("figure");
    return columnOf(8, {line(m_title, m_group), line(m_rank, m_figure)});
}

BarsWidget* HeadCard::addBars(QVBoxLayout& column, const QString& name, const QString& title)
{
    if (!title.isEmpty())
        column.addWidget(heading(title, this));
    auto* bars = new BarsWidget(this);
    bars->setObjectName(name);
    if (!title.isEmpty())
        bars->setAccessibleName(title);
    column.addWidget(bars);
    return bars;
}

TextLabel* HeadCard::addNote(QVBoxLayout& column, const QString& name)
{
    TextLabel* note = caption({}, this);
    note->setObjectName(name);
    note->setWordWrap(true);
    column.addWidget(note);
    return note;
}

QWidget* HeadCard::makeDoes()
{
    auto* tab = new QWidget(this);
    QVBoxLayout* column = columnOf(tab);
    m_labels = addBars(*column, "labels");
    m_labels->setAccessibleName(tr("What it does"));
    BarsOptions fractions;
    fractions.largest = 1.0;
    fractions.labelWidth = 112.0 * Theme::of(*this).scale();
    m_labels->setOptions(fractions);
    m_labelNote = addNote(*column, "labelNote");
    m_mapTitle = heading({}, this);
    m_mapNote = caption({}, this);
    column->addLayout(line(m_mapTitle, m_mapNote));
    m_map = new HeatmapWidget(this);
    HeatmapOptions options;
    options.numbers = options.rowLabels = options.columnLabels = options.corner = false;
    m_map->setOptions(options);
    m_map->setAccessibleName(tr("Thumbnail of this head"));
    m_map->setMinimumHeight(140);
    m_map->setMaximumHeight(206); // 64 tokens in cells of 3 px.
    column->addWidget(m_map, 1);
    m_distances = addBars(*column, "distances", tr("Attention by distance"));
    m_distanceNote = addNote(*column, "distanceNote");
    connect(m_labels, &BarsWidget::barActivated, this, &HeadCard::labelChosen);
    return tab;
}

QWidget* HeadCard::makeScores()
{
    auto* tab = new QWidget(this);
    QVBoxLayout* column = columnOf(tab);
    m_scores = addBars(*column, "allScores");
    m_scores->setAccessibleName(tr("All scores of this head"));
    BarsOptions options;
    options.largest = 1.0;
    options.labelWidth = 146.0 * Theme::of(*this).scale();
    m_scores->setOptions(options);
    m_scoresNote = addNote(*column, "scoresNote");
    column->addStretch(1);
    return tab;
}

QWidget* HeadCard::makeTokens()
{
    auto* tab = new QWidget(this);
    QVBoxLayout* column = columnOf(tab);
    m_queries = addBars(*column, "queries", tr("Queries"));
    m_keys = addBars(*column, "keys", tr("Attends to"));
    m_tokensNote = addNote(*column, "tokensNote");
    column->addSpacing(4);
    m_alike = addBars(*column, "alike", tr("Similar heads"));
    m_alikeNote = addNote(*column, "alikeNote");
    column->addStretch(1);
    connect(m_alike, &BarsWidget::barActivated, this, &HeadCard::alikeChosen);
    return tab;
}

QWidget* HeadCard::makeWeights()
{
    auto* tab = new QWidget(this);
    QVBoxLayout* column = columnOf(tab);
    column->addWidget(heading(tr("Copying"), this));
    m_copying = addNote(*column, "copying");
    column->addWidget(heading(tr("Singular values of QK: which tokens attend to which"), this));
    m_queryKey = new SpectrumWidget(this);
    m_queryKey->setObjectName("queryKey");
    m_queryKey->setAccessibleName(tr("QK spectrum"));
    column->addWidget(m_queryKey);
    column->addWidget(heading(tr("Singular values of OV: what is copied"), this));
    m_outputValue = new SpectrumWidget(this);
    m_outputValue->setObjectName("outputValue");
    m_outputValue->setAccessibleName(tr("OV spectrum"));
    column->addWidget(m_outputValue);
    m_readings = addBars(*column, "readings", tr("Input from earlier heads"));
    m_weightsNote = addNote(*column, "weightsNote");
    column->addStretch(1);
    connect(m_readings, &BarsWidget::barActivated, this, &HeadCard::readingChosen);
    return tab;
}

QLayout* HeadCard::makeButtons()
{
    m_open->setProperty("role", "primary");
    auto* buttons = rowOf(8, {m_open, m_off, Placed::space()});
    connect(m_open, &QPushButton::clicked, this, &HeadCard::openWanted);
    connect(m_off, &QPushButton::clicked, this, [this] { emit offWanted(!m_isOff); });
    return buttons;
}

int HeadCard::tab() const
{
    return m_tabs->currentIndex();
}

void HeadCard::setTab(int tab)
{
    const int valid = tab >= 0 && tab < m_tabs->count() ? tab : 0;
    m_tab->setCurrent(valid);
    m_tabs->setCurrentIndex(valid);
}

void HeadCard::setContent(const HeadCardContent& content)
{
    m_isOff = content.isOff;
    const auto note = [](TextLabel* label, const QString& text) {
        label->setText(text);
        label->setVisible(!text.isEmpty());
    };
    m_title->setText(content.title);
    m_group->setText(content.group);
    m_rank->setText(content.rank);
    m_figure->setText(content.figure);
    m_labels->setBars(content.labels);
    m_labels->setVisible(!content.labels.empty());
    note(m_labelNote, content.labelNote);
    m_mapTitle->setText(content.mapTitle);
    m_mapNote->setText(content.mapNote);
    m_map->setContent(content.map);
    m_distances->setBars(content.distances);
    note(m_distanceNote, content.distanceNote);
    m_scores->setBars(content.scores);
    note(m_scoresNote, content.scoresNote);
    m_queries->setBars(content.queries);
    m_keys->setBars(content.keys);
    note(m_tokensNote, content.tokensNote);
    m_alike->setBars(content.alike);
    note(m_alikeNote, content.alikeNote);
    note(m_copying, content.copying);
    m_queryKey->setValues(content.queryKey);
    m_outputValue->setValues(content.outputValue);
    m_readings->setBars(content.readings);
    note(m_weightsNote, content.weightsNote);
    m_open->setText(content.openText.isEmpty() ? tr("Open this head") : content.openText);
    m_off->setText(content.isOff ? tr("Restore") : tr("Ablate"));
    // Immediately: a screenshot of the window may be taken before the event loop handles it.
    auto* area = static_cast<QScrollArea*>(m_tabs->currentWidget());
    QEvent request(QEvent::LayoutRequest);
    QCoreApplication::sendEvent(area->widget(), &request);
}

} // namespace headscope::ui
