#include "ui/widgets/controls/message_bar.h"

#include "ui/widgets/style/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace headscope::ui {
namespace {

constexpr int kIcon = 20;
constexpr int kMostAnswers = 3;

QColor toneOf(MessageKind kind, const Theme& theme)
{
    switch (kind) {
    case MessageKind::Error:
        return theme.error;
    case MessageKind::Warning:
        return theme.warn;
    case MessageKind::Progress:
    case MessageKind::Note:
        break;
    }
    return theme.accent;
}

} // namespace

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent)
    , m_sentence(new QLabel(this))
    , m_close(new QToolButton(this))
{
    setProperty("role", "message");
    setAccessibleName(tr("Message"));
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setTextFormat(Qt::PlainText);
    m_close->setText(QStringLiteral("✕"));
    m_close->setProperty("role", "plain");
    m_close->setAccessibleName(tr("Dismiss message"));
    m_close->setToolTip(tr("Dismiss message"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(24 + kIcon + 10, 4, 12, 4);
    row->setSpacing(12);
    row->addWidget(m_sentence, 1);
    for (int index = 0; index < kMostAnswers; ++index) {
        auto* button = new QPushButton(this);
        row->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, index] {
            if (index == 0)
                emit buttonPressed();
            emit answered(index);
        });
        m_buttons.push_back(button);
    }
    row->addWidget(m_close);
    setMinimumHeight(40);
    hide();
    connect(m_close, &QToolButton::clicked, this, [this] {
        hide();
        emit dismissed();
    });
}

void MessageBar::show(MessageKind kind, const QString& sentence, const QString& button)
{
    ask(kind, sentence, button.isEmpty() ? QStringList() : QStringList{button});
}

void MessageBar::ask(MessageKind kind, const QString& sentence, const QStringList& answers)
{
    m_kind = kind;
    m_sentence->setText(sentence);
    setAccessibleDescription(sentence);
    for (qsizetype index = 0; index < static_cast<qsizetype>(m_buttons.size()); ++index) {
        QPushButton* button = m_buttons[static_cast<std::size_t>(index)];
        button->setText(answers.value(index));
        button->setVisible(index < answers.size());
    }
    QFrame::show();
    update();
}

void MessageBar::focusFirstAnswer()
{
    m_buttons.front()->setFocus(Qt::OtherFocusReason);
}

QString MessageBar::sentence() const
{
    return m_sentence->text();
}

void MessageBar::paintEvent(QPaintEvent* event)
{
    QFrame::paintEvent(event);
    const Theme theme = Theme::of(*this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor tone = toneOf(m_kind, theme);
    const QRectF icon(24, (height() - kIcon) / 2.0, kIcon, kIcon);
    painter.setPen(QPen(tone, 1.5, Qt::SolidLine, Qt::RoundCap));
    painter.drawEllipse(icon.adjusted(2, 2, -2, -2));
    const QPointF middle = icon.center();
    if (m_kind == MessageKind::Progress) {
        painter.drawLine(middle, middle + QPointF(0, -4.5));
        painter.drawLine(middle, middle + QPointF(3.0, 1.5));
        return;
    }
    const double up = m_kind == MessageKind::Note ? 1.0 : -1.0; // "i" or "!"
    painter.drawLine(middle + QPointF(0, 4.0 * up), middle + QPointF(0, -0.5 * up));
    painter.setBrush(tone);
    painter.setPen(Qt::NoPen);
    painter.drawEllipse(middle + QPointF(0, -4.0 * up), 1.1, 1.1);
}

} // namespace headscope::ui
