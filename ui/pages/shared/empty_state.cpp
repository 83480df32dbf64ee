#include "ui/pages/shared/empty_state.h"

#include "ui/session/samples.h"
#include "ui/session/session.h"
#include "ui/widgets/labels.h"

#include <QEvent>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kSentenceWidth = 440;

} // namespace

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent)
    , m_heading(heading({}, this))
    , m_sentence(paragraph({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_button(new QPushButton(this))
{
    m_sentence->setObjectName("emptySentence");
    m_sentence->setAlignment(Qt::AlignCenter);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(8);
    column->addStretch(1);
    column->addWidget(m_heading, 0, Qt::AlignHCenter);
    column->addWidget(m_sentence, 0, Qt::AlignHCenter);
    column->addSpacing(8);
    column->addWidget(m_button, 0, Qt::AlignHCenter);
    column->addStretch(1);
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_asked)
            m_asked->document().replaceText(
                sampleSentence(QString::fromStdString(m_asked->model().name)));
        else
            emit buttonPressed();
    });
    parent->installEventFilter(this);
    setGeometry(parent->rect());
}

void EmptyState::setTexts(const QString& heading, const QString& sentence, const QString& button)
{
    m_asked = nullptr;
    m_heading->setText(heading);
    m_sentence->setText(sentence);
    // A centred label is not queried for its height by width, so it is set here.
    const int wanted = m_sentence->fontMetrics().horizontalAdvance(sentence) + 8;
    const int width = std::min(wanted, kSentenceWidth);
    m_sentence->setFixedSize(width, std::max(0, m_sentence->heightForWidth(width))); // -1: no text
    m_button->setText(button);
    m_button->setVisible(!button.isEmpty());
}

void EmptyState::refresh(Session& session, const QString& sentence, const EmptyText& words)
{
    const bool noModel = session.models().isBlank();
    const bool noText = session.text().isEmpty() && !sentence.isEmpty();
    setVisible(noModel || noText || !words.heading.isEmpty());
    if (noModel)
        askForModel();
    else if (noText)
        askForText(session, sentence);
    else
        setTexts(words.heading, words.sentence, {});
}

void EmptyState::askForModel()
{
    setTexts(tr("No model is open"),
             tr("Open a checkpoint, or choose a built-in model from the Model menu."), {});
}

void EmptyState::askForText(Session& session, const QString& sentence)
{
    setTexts(tr("No text yet"), sentence, tr("Use the sample sentence"));
    m_asked = &session;
}

bool EmptyState::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        setGeometry(parentWidget()->rect());
    return QWidget::eventFilter(watched, event);
}

} // namespace headscope::ui
