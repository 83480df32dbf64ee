#include "ui/window/chat/chat_editor.h"

#include "ui/pages/shared/boxes.h"
#include "ui/session/session.h"
#include "ui/widgets/style/theme.h"
#include "ui/window/chat/turn_field.h"
#include "ui/window/chat/turn_row.h"

#include <QCheckBox>
#include <QEvent>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kGap = 6;
constexpr double kMostOfWindow = 0.24; ///< Fraction of the window's height for the turns.
constexpr int kLeastTurns = 72;        ///< Height of two turns of one line.

/// Role of the turn after these.
std::string nextRole(const std::vector<ChatTurn>& turns)
{
    return !turns.empty() && turns.back().role == "user" ? "assistant" : "user";
}

} // namespace

ChatEditor::ChatEditor(Session& session)
    : m_session(session)
    , m_scroll(new QScrollArea(this))
    , m_turns(new QWidget)
    , m_add(new QPushButton(tr("Add turn"), this))
    , m_prompt(new QCheckBox(tr("Generation prompt"), this))
    , m_reply(new QPushButton(this))
    , m_writer(session)
{
    auto* rows = new QVBoxLayout(m_turns);
    rows->setContentsMargins(0, 0, 4, 0);
    rows->setSpacing(kGap);
    m_scroll->setWidget(m_turns);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->viewport()->setAutoFillBackground(false);
    m_turns->setAutoFillBackground(false);
    m_footer = makeFooter();
    columnOf(kGap, {{m_scroll, 1}, m_footer}, this);
    connect(m_scroll->verticalScrollBar(), &QScrollBar::rangeChanged, this, [this](int, int most) {
        if (m_showsEnd)
            m_scroll->verticalScrollBar()->setValue(most);
    });
    connect(&session, &Session::textChanged, this, &ChatEditor::refresh);
    connect(&session, &Session::modelChanged, this, &ChatEditor::refresh);
    connect(&m_writer, &ChatReply::changed, this, &ChatEditor::refreshReply);
    connect(&m_writer, &ChatReply::failed, &session, &Session::errorRaised);
    refresh();
}

QWidget* ChatEditor::makeFooter()
{
    auto* footer = new QWidget(this);
    m_reply->setObjectName("reply");
    m_prompt->setToolTip(tr("Ends the chat with the beginning of the assistant\u2019s turn, so "
                            "that the model continues with a reply"));
    rowOf(16, {m_add, m_reply, m_prompt, Placed::space()}, footer);
    connect(m_add, &QPushButton::clicked, this, &ChatEditor::addTurn);
    connect(m_reply, &QPushButton::clicked, this, &ChatEditor::replyWanted);
    connect(m_prompt, &QCheckBox::clicked, this, [this](bool on) {
        change([on](ChatInput& chat) { chat.addGenerationPrompt = on; }, tr("generation prompt"));
    });
    return footer;
}

TurnRow* ChatEditor::makeRow()
{
    auto* row = new TurnRow(m_turns);
    connect(row, &TurnRow::edited, this, [this, row](const QString& content) {
        m_showsEnd = false;
        m_session.document().setTurnContent(indexOf(row), content);
    });
    connect(row, &TurnRow::roleChosen, this, [this, row](const QString& role) {
        const auto index = static_cast<std::size_t>(indexOf(row));
        change([&](ChatInput& chat) { chat.turns.at(index).role = role.toStdString(); },
               tr("role of a turn"));
    });
    connect(row, &TurnRow::removed, this, [this, row] {
        const int index = indexOf(row);
        change([&](ChatInput& chat) { chat.turns.erase(chat.turns.begin() + index); },
               tr("remove a turn"));
        focusLast();
    });
    connect(&row->field(), &TurnField::left, this, &ChatEditor::left);
    row->field().installEventFilter(this);
    return row;
}

int ChatEditor::indexOf(const TurnRow* row) const
{
    return static_cast<int>(std::ranges::find(m_rows, row) - m_rows.begin());
}

void ChatEditor::change(const std::function<void(ChatInput&)>& edit, const QString& name)
{
    Chat chat = m_session.document().chat();
    edit(chat.input);
    m_session.document().setChat(chat, name);
}

void ChatEditor::addTurn()
{
    change(
        [](ChatInput& chat) {
            chat.turns.push_back({nextRole(chat.turns), {}});
        },
        tr("add a turn"));
    focusLast();
}

void ChatEditor::writeReply(const GenerationSettings& settings)
{
    if (m_writer.isRunning())
        return m_writer.cancel();
    if (const QString why = m_writer.obstacle(); !why.isEmpty())
        emit noteRaised(why);
    else
        m_writer.start(settings);
}

void ChatEditor::focusLast()
{
    if (!m_rows.empty())
        m_rows.back()->field().setFocus();
}

/// The focus stays among the turns, as after the undo of one.
void ChatEditor::dropLastRow()
{
    TurnRow* row = m_rows.back();
    m_rows.pop_back();
    if (row->isAncestorOf(window()->focusWidget())) {
        m_add->setFocus();
        focusLast();
    }
    row->hide();
    row->deleteLater();
}

void ChatEditor::refresh()
{
    const ChatInput& chat = m_session.document().chat().input;
    const bool grows = m_rows.size() < chat.turns.size();
    while (m_rows.size() > chat.turns.size())
        dropLastRow();
    while (m_rows.size() < chat.turns.size()) {
        m_rows.push_back(makeRow());
        m_turns->layout()->addWidget(m_rows.back());
    }
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        m_rows[i]->showTurn(chat.turns[i], static_cast<int>(i) + 1, m_rows.size() == 1);
    m_prompt->setChecked(chat.addGenerationPrompt);
    refreshReply();
    fitHeight();
    m_showsEnd = m_showsEnd || grows;
}

void ChatEditor::refreshReply()
{
    const bool runs = m_writer.isRunning();
    const QString why = runs ? QString() : m_writer.obstacle();
    m_reply->setText(runs ? tr("Stop reply") : tr("Write reply"));
    m_reply->setEnabled(why.isEmpty());
    m_reply->setToolTip(!why.isEmpty() ? why
                        : runs         ? tr("Stops and keeps what is written")
                                       : tr("Writes the assistant\u2019s turn with the sampling "
                                                    "settings of the Next token page"));
}

void ChatEditor::fitHeight()
{
    for (TurnRow* row : m_rows)
        row->fitHeight();
    const double scale = Theme::of(*this).scale();
    const int wanted = m_turns->layout()->totalMinimumSize().height();
    const int most =
        std::max(qRound(kLeastTurns * scale), qRound(kMostOfWindow * window()->height()));
    const int height = std::min(wanted, most) + kGap + m_footer->sizeHint().height();
    if (height == minimumHeight())
        return;
    setFixedHeight(height);
    emit heightChanged();
}

/// A field that became taller moves the others.
bool ChatEditor::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        QMetaObject::invokeMethod(this, &ChatEditor::fitHeight, Qt::QueuedConnection);
    if (event->type() == QEvent::FocusIn)
        m_scroll->ensureWidgetVisible(static_cast<QWidget*>(watched), 0, 8);
    return QWidget::eventFilter(watched, event);
}

} // namespace headscope::ui
