#include "ui/window/frame/document_bar.h"

#include "ui/session/runs/training.h"
#include "ui/session/second_text.h"
#include "ui/widgets/labels.h"
#include "ui/window/chat/chat_editor.h"
#include "ui/window/frame/fixed_parts.h"
#include "ui/window/frame/live_label.h"
#include "ui/window/frame/sentence_field.h"
#include "ui/window/frame/token_rows.h"
#include "ui/window/frame/window_texts.h"
#include "ui/window/models/model_chooser.h"

#include <QHBoxLayout>
#include <QPushButton>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kSentenceHeight = 56;
constexpr int kLiveWidth = 148;

} // namespace

DocumentBar::DocumentBar(QMainWindow& window, Session& session, QMenu& models, QMenu& tokenMenu)
    : QObject(&window)
    , m_window(window)
    , m_session(session)
    , m_row(new QWidget)
    , m_chooser(new ModelChooser)
    , m_chatSwitch(new QPushButton(tr("Chat")))
    , m_sentence(new SentenceField)
    , m_chat(new ChatEditor(session))
    , m_targetMark(
          new TextLabel(QStringLiteral("\u2192"), TextRole::Sentence, TextLabel::Tone::Text3))
    , m_target(new SentenceField)
    , m_live(new LiveLabel)
    , m_tokens(new TokenRows(session, tokenMenu))
{
    m_chooser->setMenu(&models);
    makeRow();
    addFixedBar(window, "sentence", tr("Sentence"), *m_row);
    addFixedBar(window, "tokens", tr("Tokens"), *m_tokens);
    connectFields();
    connectSession();
    refreshText();
    refreshModel();
    m_tokens->refreshTokens();
    followTrace();
}

void DocumentBar::makeRow()
{
    m_row->setFixedHeight(kSentenceHeight);
    m_chatSwitch->setObjectName("chatSwitch");
    m_chatSwitch->setProperty("role", "tall");
    m_chatSwitch->setCheckable(true);
    m_chat->hide();
    m_targetMark->setAlignment(Qt::AlignCenter);
    m_targetMark->setFixedWidth(32);
    m_targetMark->setForegroundRole(QPalette::WindowText); // default would be the tool bar's role
    m_live->setMinimumWidth(kLiveWidth);
    m_live->setFixedHeight(m_chooser->sizeHint().height()); // centred beside the first line
    m_live->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred); // elided text has a tooltip
    auto* row = new QHBoxLayout(m_row);
    row->setSpacing(0);
    row->setContentsMargins(16, 8, 24, 8);
    row->addWidget(m_chooser, 0, Qt::AlignTop);
    row->addSpacing(12);
    row->addWidget(m_chatSwitch, 0, Qt::AlignTop);
    row->addSpacing(12);
    row->addWidget(m_sentence, 1);
    row->addWidget(m_chat, 1);
    row->addWidget(m_targetMark);
    row->addWidget(m_target, 1);
    row->addSpacing(24);
    row->addWidget(m_live, 0, Qt::AlignTop);
    m_target->hide();
    m_targetMark->hide();
}

void DocumentBar::connectFields()
{
    SessionDocument& document = m_session.document();
    connect(m_sentence, &QLineEdit::textEdited, &document, &SessionDocument::setText);
    connect(m_target, &QLineEdit::textEdited, &document, &SessionDocument::setTarget);
    for (SentenceField* field : {m_sentence, m_target})
        connect(field, &SentenceField::left, this, &DocumentBar::left);
    connect(m_sentence, &SentenceField::cut, this, [this](int longest) {
        emit warningRaised(tr("The sentence field is limited to %1 characters; the rest was "
                              "omitted. Open the text as a file to read more.")
                               .arg(longest));
    });
    connect(m_sentence, &SentenceField::shortened, this, &DocumentBar::warningEnded);
    connect(m_chatSwitch, &QPushButton::clicked, this, &DocumentBar::switchChat);
    connect(m_chat, &ChatEditor::left, this, &DocumentBar::left);
    connect(m_chat, &ChatEditor::replyWanted, this, &DocumentBar::replyWanted);
    connect(m_chat, &ChatEditor::noteRaised, this, &DocumentBar::noteRaised);
    connect(m_chat, &ChatEditor::heightChanged, this, &DocumentBar::fitHeight);
    connect(m_tokens, &TokenRows::messageWanted, this, &DocumentBar::noteRaised);
}

void DocumentBar::connectSession()
{
    connect(&m_session, &Session::textChanged, this, &DocumentBar::refreshText);
    connect(&m_session, &Session::tokensChanged, m_tokens, &TokenRows::refreshTokens);
    connect(&m_session, &Session::selectionChanged, m_tokens, &TokenRows::refreshMarks);
    connect(&m_session, &Session::modelChanged, this, &DocumentBar::refreshModel);
    connect(&m_session.training(), &Training::changed, this, &DocumentBar::refreshTitle);
    // Queued, as the views' own refresh is, so that both show the same trace.
    connect(&m_session, &Session::traceChanged, this, &DocumentBar::followTrace,
            Qt::QueuedConnection);
    for (auto signal :
         {&Session::tokensChanged, &Session::busyChanged, &Session::computingAdvanced})
        connect(&m_session, signal, this, &DocumentBar::refreshState);
    connect(&m_session, &Session::errorRaised, this, &DocumentBar::refreshState);
    connect(&m_session.training(), &Training::changed, this, &DocumentBar::refreshState);
}

void DocumentBar::refreshText()
{
    m_sentence->showText(m_session.document().sentence());
    m_target->showText(m_session.document().target());
    refreshChat();
}

/// Shows the chat in place of the sentence while the model reads it.
void DocumentBar::refreshChat()
{
    const bool reads = m_session.document().readsChat();
    const QString why = whyNoChat(m_session.models());
    m_chatSwitch->setEnabled(why.isEmpty());
    m_chatSwitch->setChecked(reads);
    m_chatSwitch->setToolTip(!why.isEmpty() ? why
                             : reads        ? tr("Read the sentence again; the chat is kept")
                                            : tr("Write a chat in turns, through the model\u2019s "
                                                        "template"));
    m_chatSwitch->setAccessibleDescription(m_chatSwitch->toolTip());
    if (reads == m_sentence->isHidden())
        return;
    const QWidget* focus = m_row->window()->focusWidget();
    const bool hadFocus = focus == m_sentence || m_chat->isAncestorOf(focus);
    m_sentence->setHidden(reads);
    m_chat->setVisible(reads);
    if (hadFocus)
        focusText();
    fitHeight();
}

void DocumentBar::switchChat(bool on)
{
    Chat chat = m_session.document().chat();
    chat.isOn = on;
    if (on && chat.input.turns.empty())
        chat.input.turns.push_back({"user", m_session.document().sentence().toStdString()});
    m_session.document().setChat(chat,
                                 on ? tr("switch to the chat") : tr("switch to the sentence"));
    refreshChat(); // the button, if nothing has changed
    focusText();
}

void DocumentBar::focusText()
{
    if (m_session.document().readsChat())
        return m_chat->focusLast();
    m_sentence->setFocus();
    m_sentence->selectAll();
}

/// Makes the text read-only for a captured trace.
void DocumentBar::refreshModel()
{
    refreshChat();
    const bool captured = m_session.isCaptured();
    const QString hint = captured ? capturedHint(m_session) : QString();
    for (SentenceField* field : {m_sentence, m_target}) {
        field->setReadOnly(captured);
        field->setToolTip(hint);
        field->setAccessibleDescription(hint);
    }
    if (!captured && !m_session.model().model)
        return;
    refreshTitle();
    const bool isPair = readsPairs(m_session.models());
    m_target->setVisible(readsSecondText(m_session.models()));
    m_targetMark->setVisible(readsSecondText(m_session.models()));
    m_targetMark->setText(isPair ? QStringLiteral("+") : QStringLiteral("\u2192"));
    m_target->setAccessibleName(isPair ? tr("Second text") : tr("Target"));
    m_target->setPlaceholderText(isPair ? tr("Add a second text")
                                        : tr("Type the model\u2019s output"));
}

void DocumentBar::refreshTitle()
{
    if (!m_session.model().model && !m_session.isCaptured())
        return;
    const Training& training = m_session.training();
    const QString name = documentName(m_session);
    m_chooser->setTexts(name, documentFacts(m_session));
    m_window.setWindowTitle(
        training.isOpen()
            ? tr("%1 (step %2) \u2013 Headscope").arg(name, count(training.record().step))
            : tr("%1 \u2013 Headscope").arg(name));
}

void DocumentBar::followTrace()
{
    if (m_session.traceA())
        m_tokens->refreshTrace(); // the target's tokens belong to the trace
    refreshState();
}

void DocumentBar::refreshState()
{
    const bool isBusy =
        m_session.computation().isStale() || !m_session.models().loadingName().isEmpty();
    m_tokens->refreshStale();
    m_live->setState(!isBusy && m_session.model().model != nullptr, liveText(m_session));
    emit busy(isBusy);
}

void DocumentBar::fitHeight()
{
    const double scale = Theme::of(*m_row).scale();
    const int margins = m_row->layout()->contentsMargins().top() * 2;
    int height = qRound(kSentenceHeight * scale);
    if (m_session.document().readsChat()) {
        m_chat->fitHeight();
        height = std::max(height, m_chat->minimumHeight() + margins);
    }
    m_row->setFixedHeight(height);
    m_chooser->fitSize();
    m_live->setFixedHeight(m_chooser->sizeHint().height());
    m_tokens->fitHeight();
}

} // namespace headscope::ui
