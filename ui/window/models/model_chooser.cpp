#include "ui/window/models/model_chooser.h"

#include "ui/pages/shared/boxes.h"
#include "ui/widgets/labels.h"
#include "ui/window/frame/icons.h"

#include <QEvent>
#include <QPainter>
#include <QStyleOptionButton>

namespace headscope::ui {

ModelChooser::ModelChooser()
    : m_name(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text, this))
    , m_facts(new TextLabel({}, TextRole::Caption, TextLabel::Tone::Text3, this))
{
    setProperty("role", "tall");
    m_name->setStrong(true);
    columnOf(0, {m_name, m_facts}, this)->setContentsMargins(13, 2, 36, 2);
    for (QWidget* label : std::initializer_list<QWidget*>{m_name, m_facts}) {
        label->setAttribute(Qt::WA_TransparentForMouseEvents);
        label->setForegroundRole(QPalette::WindowText); // default would be the button's role
    }
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setTexts(tr("No model"), tr("Choose one"));
}

/// No fixed size: the style sheet's minimum would replace it when the type size changes.
QSize ModelChooser::sizeHint() const
{
    const double scale = Theme::of(*this).scale();
    return {qRound(288 * scale), qRound(40 * scale)};
}

void ModelChooser::fitSize()
{
    updateGeometry();
    setTexts(m_nameText, m_factsText);
}

void ModelChooser::setTexts(const QString& name, const QString& facts)
{
    m_nameText = name;
    m_factsText = facts;
    const int room = sizeHint().width() - 52;
    m_name->setText(m_name->fontMetrics().elidedText(name, Qt::ElideMiddle, room));
    m_facts->setText(m_facts->fontMetrics().elidedText(facts, Qt::ElideRight, room));
    setAccessibleName(tr("Model %1, %2").arg(name, facts));
    setToolTip(name);
}

void ModelChooser::changeEvent(QEvent* event)
{
    QPushButton::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        update();
}

void ModelChooser::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    option.features &= ~QStyleOptionButton::HasMenu; // painted below instead
    style()->drawControl(QStyle::CE_PushButton, &option, &painter, this);
    const QColor ink = Theme::of(*this).text;
    painter.drawPixmap(width() - 30, height() / 2 - 10,
                       iconPixmap(kChevronDown, ink, 20, devicePixelRatioF()));
}

} // namespace headscope::ui
