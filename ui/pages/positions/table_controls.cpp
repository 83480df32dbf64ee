#include "ui/pages/positions/table_controls.h"

#include "ui/pages/positions/positions_formulas.h"
#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/column_scroll.h"
#include "ui/pages/shared/whole_texts.h"
#include "ui/widgets/controls/slider.h"
#include "ui/widgets/labels.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>

namespace headscope::ui {

namespace {

/// A text that scrolls in a low window.
QWidget* scrolled(QLabel& text)
{
    constexpr int kLeastHeight = 40;
    auto* page = new QWidget;
    columnOf(0, {&text, Placed::space()}, page);
    new WholeTexts(*page);
    auto* area = transparentScroll(page);
    area->setMinimumHeight(kLeastHeight);
    return area;
}

} // namespace

TableControls::TableControls(QWidget* parent)
    : QWidget(parent)
    , m_position(new NamedSlider(tr("Position"), QStringLiteral("p"), Role::Query))
    , m_offset(new NamedSlider(tr("Offset"), QStringLiteral("k"), Role::Key))
    , m_dimensions(new NamedSlider(tr("Dimensions"), QStringLiteral("d"), Role::Plain))
    , m_base(new NamedSlider(tr("Base"), QStringLiteral("N"), Role::Plain))
    , m_play(new QPushButton(tr("▶  Slide p")))
    , m_words(new QLabel)
{
    setFixedWidth(190);
    m_dimensions->setScale({4, 512, 127, true, 2, 0});
    m_base->setScale({100, 100000, 300, true, 1, 0});
    m_words->setWordWrap(true);
    m_words->setTextFormat(Qt::RichText);
    auto* again = new QPushButton(tr("Reset"));
    m_play->setObjectName("slide");
    auto* buttons = rowOf(8, {m_play, again, Placed::space(0)});
    auto* column = columnOf(6, {heading(tr("Try it"))}, this);
    for (QWidget* slider : {m_position, m_offset, m_dimensions, m_base})
        column->addWidget(slider);
    column->addSpacing(4);
    column->addLayout(buttons);
    column->addSpacing(4);
    column->addWidget(scrolled(*m_words), 1);
    connectControls(again);
}

void TableControls::connectControls(QPushButton* again)
{
    connect(m_position, &NamedSlider::numberChanged, this,
            [this](double value) { emit positionChosen(static_cast<int>(value)); });
    connect(m_offset, &NamedSlider::numberChanged, this,
            [this](double value) { emit offsetChosen(static_cast<int>(value)); });
    connect(m_dimensions, &NamedSlider::numberChanged, this,
            [this](double value) { emit dimensionsChosen(static_cast<int>(value)); });
    connect(m_base, &NamedSlider::numberChanged, this, &TableControls::baseChosen);
    connect(m_play, &QPushButton::clicked, this, &TableControls::slideToggled);
    connect(again, &QPushButton::clicked, this, &TableControls::resetPressed);
}

void TableControls::setRanges(int lastPosition, int lastOffset)
{
    m_position->setScale({0, static_cast<double>(lastPosition), lastPosition, false, 1, 0});
    m_offset->setScale({0, static_cast<double>(lastOffset), lastOffset, false, 1, 0});
}

void TableControls::setNumbers(const PositionsContent& content)
{
    const QSignalBlocker quiet[] = {QSignalBlocker(m_position), QSignalBlocker(m_offset),
                                    QSignalBlocker(m_dimensions), QSignalBlocker(m_base)};
    m_position->setNumber(content.position);
    m_offset->setNumber(content.offset);
    m_dimensions->setNumber(content.table.dimensions);
    m_base->setNumber(content.base);
}

void TableControls::setSliding(bool sliding)
{
    m_play->setText(sliding ? tr("❚❚  Pause") : tr("▶  Slide p"));
}

void TableControls::setScheme(Positions scheme, const QString& model)
{
    const Theme theme = Theme::of(*this);
    m_words->setFont(theme.font(TextRole::Body));
    m_words->setText(QStringLiteral("<p style=\"line-height:112%; color:%1\">%2</p>")
                         .arg(theme.text2.name(), schemeText(scheme, model, theme)));
    const bool sinusoidal = scheme == Positions::Sinusoidal;
    m_base->setEnabled(sinusoidal);
    m_base->setToolTip(sinusoidal ? QString() : tr("Only sinusoidal encodings have a base"));
    m_dimensions->setEnabled(sinusoidal);
    m_dimensions->setToolTip(sinusoidal ? QString() : tr("The width of these embeddings is fixed"));
}

} // namespace headscope::ui
