#include "ui/pages/overview/things_to_try_bar.h"

#include "ui/pages/overview/things_to_try_content.h"
#include "ui/pages/shared/boxes.h"

#include <QGridLayout>
#include <QPushButton>
#include <QResizeEvent>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kSpacing = 8;

} // namespace

ThingsToTryBar::ThingsToTryBar(Session& session, QWidget* parent)
    : SessionPanel(session, parent)
    , m_things(thingsToTryOf(session))
    , m_sentence(new QPushButton(this))
    , m_row(new QWidget(this))
{
    setAccessibleName(tr("Things to try"));
    m_sentence->setObjectName("reference");
    m_sentence->setProperty("role", "link");
    m_sentence->setToolTip(tr("Select this head and pair"));
    m_grid = new QGridLayout(m_row);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(kSpacing);
    for (int index = 0; index < ThingsToTry::kCount; ++index) {
        const auto thing = static_cast<ThingToTry>(index);
        auto* button = new QPushButton(thingTitle(thing), m_row);
        m_buttons[static_cast<std::size_t>(index)] = button;
        connect(button, &QPushButton::clicked, &m_things, [this, thing] { m_things.take(thing); });
    }
    columnOf(kSpacing, {{m_sentence, 0, Qt::AlignLeft}, {m_row, 0, Qt::AlignLeft}}, this);
    placeButtons(1);
    connect(m_sentence, &QPushButton::clicked, &m_things, &ThingsToTry::selectReference);
    connect(&m_things, &ThingsToTry::changed, this, &ThingsToTryBar::follow);
    follow();
}

/// As narrow as its widest button: one row becomes two or three.
QSize ThingsToTryBar::minimumSizeHint() const
{
    int width = 0;
    for (const QPushButton* button : m_buttons)
        width = std::max(width, button->sizeHint().width());
    return {width, SessionPanel::minimumSizeHint().height()};
}

void ThingsToTryBar::resizeEvent(QResizeEvent* event)
{
    SessionPanel::resizeEvent(event);
    const auto fits = [&](int columns) {
        int width = kSpacing * (columns - 1);
        for (int index = 0; index < columns; ++index)
            width += m_buttons[static_cast<std::size_t>(index)]->sizeHint().width();
        return width <= event->size().width();
    };
    placeButtons(fits(3) ? 3 : fits(2) ? 2 : 1);
}

/// Row by row; a last button alone in its row may be as wide as the row.
void ThingsToTryBar::placeButtons(int columns)
{
    if (columns == m_columns)
        return;
    m_columns = columns;
    for (int index = 0; index < ThingsToTry::kCount; ++index) {
        const bool isAlone = index % columns == 0 && index + 1 == ThingsToTry::kCount;
        m_grid->addWidget(m_buttons[static_cast<std::size_t>(index)], index / columns,
                          index % columns, 1, isAlone ? columns : 1, Qt::AlignLeft);
    }
}

void ThingsToTryBar::follow()
{
    setVisible(m_things.isOnSample() && (m_things.isOffered() || m_things.reference()));
    note(Change::Display);
}

void ThingsToTryBar::refresh(ChangeSet)
{
    const auto& reference = m_things.reference();
    m_sentence->setVisible(reference.has_value());
    if (reference)
        m_sentence->setText(referenceText(*reference, session().viewSnapshot()));
    m_row->setVisible(m_things.isOffered());
    for (int index = 0; index < ThingsToTry::kCount; ++index) {
        const auto thing = static_cast<ThingToTry>(index);
        button(thing).setEnabled(m_things.isPossible(thing));
        button(thing).setToolTip(thingDescription(thing, session().view().activeHead()));
    }
}

} // namespace headscope::ui
