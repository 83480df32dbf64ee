#include "ui/window/find/find_bar.h"

#include "ui/pages/shared/boxes.h"
#include "ui/session/session.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"
#include "ui/window/find/token_search.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kHeight = 40;
constexpr int kFieldWidth = 280;

QToolButton* plainButton(const QString& text, const QString& name, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setProperty("role", "plain");
    button->setAccessibleName(name);
    button->setToolTip(name);
    return button;
}

bool isReturn(int key)
{
    return key == Qt::Key_Return || key == Qt::Key_Enter;
}

} // namespace

FindBar::FindBar(Session& session, QWidget* parent)
    : QFrame(parent)
    , m_session(session)
    , m_field(new QLineEdit(this))
    , m_state(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_axis(new SegmentBar(this))
    , m_previous(plainButton(QStringLiteral("\u2191"), tr("Previous match"), this))
    , m_next(plainButton(QStringLiteral("\u2193"), tr("Next match"), this))
    , m_close(plainButton(QStringLiteral("\u2715"), tr("Close the search"), this))
{
    setProperty("role", "message");
    setAccessibleName(tr("Find in the text"));
    m_field->setFixedWidth(kFieldWidth);
    m_field->setPlaceholderText(tr("Find in the text"));
    m_field->setAccessibleName(tr("Find in the text"));
    m_field->setToolTip(tr("Enter: next query (row) \u00B7 Shift+Enter: previous \u00B7 "
                           "Ctrl+Enter: next key (column)"));
    m_field->setAccessibleDescription(m_field->toolTip());
    m_field->setClearButtonEnabled(true);
    m_field->findChild<QToolButton*>()->setAccessibleName(tr("Clear"));
    m_axis->setAccessibleName(tr("What a match selects"));
    m_axis->setSegments({{tr("Query"), tr("The row of a map")}, {tr("Key"), tr("Its column")}});
    auto* row = rowOf(12, {m_field, m_axis, m_previous, m_next, {m_state, 1}, m_close}, this);
    row->setContentsMargins(24, 4, 12, 4);
    setMinimumHeight(kHeight);
    hide();
    m_field->installEventFilter(this);
    const auto chosen = [this] { return static_cast<Axis>(m_axis->current()); };
    connect(m_field, &QLineEdit::textChanged, this, &FindBar::refresh);
    connect(m_axis, &SegmentBar::currentChanged, this, &FindBar::refresh);
    connect(m_previous, &QToolButton::clicked, this, [this, chosen] { go(chosen(), true); });
    connect(m_next, &QToolButton::clicked, this, [this, chosen] { go(chosen(), false); });
    connect(m_close, &QToolButton::clicked, this, &FindBar::close);
    connect(&session, &Session::selectionChanged, this, &FindBar::refresh);
    connect(&session, &Session::traceChanged, this, &FindBar::refresh);
}

void FindBar::open()
{
    show();
    refresh();
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

void FindBar::close()
{
    hide();
    emit left();
}

/// The window has shortcuts on Ctrl+Enter; in this field the keys are the search's.
bool FindBar::eventFilter(QObject* watched, QEvent* event)
{
    const bool isPress = event->type() == QEvent::KeyPress;
    if (watched != m_field || (!isPress && event->type() != QEvent::ShortcutOverride))
        return QFrame::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (isPress && pressKey(key->key(), key->modifiers()))
        return true;
    if (!isPress && (isReturn(key->key()) || key->key() == Qt::Key_Escape)) {
        event->accept();
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

void FindBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else
        QFrame::keyPressEvent(event);
}

bool FindBar::pressKey(int key, Qt::KeyboardModifiers modifiers)
{
    if (key == Qt::Key_Escape) {
        close();
        return true;
    }
    if (!isReturn(key))
        return false;
    const auto chosen = static_cast<Axis>(m_axis->current());
    const Axis other = chosen == Axis::Query ? Axis::Key : Axis::Query;
    go(modifiers.testFlag(Qt::ControlModifier) ? other : chosen,
       modifiers.testFlag(Qt::ShiftModifier));
    return true;
}

std::vector<int> FindBar::matchesIn(Axis axis) const
{
    const TracePtr& trace = m_session.shownTrace();
    if (!trace)
        return {};
    const AttentionKind part = m_session.selection().part;
    return findInTokens(axis == Axis::Query ? trace->queryTokens(part) : trace->keyTokens(part),
                        m_field->text());
}

/// A row keeps the key that was chosen; without one its key is the most attended.
void FindBar::go(Axis axis, bool backwards)
{
    const TokenPair pair = m_session.pair();
    const bool isQuery = axis == Axis::Query;
    const int token = nextMatch(matchesIn(axis), isQuery ? pair.query : pair.key, backwards);
    if (token < 0)
        return;
    if (isQuery)
        m_session.view().selectPair(token, m_session.selection().key);
    else
        m_session.view().selectPair(pair.query, token);
}

void FindBar::refresh()
{
    if (isHidden())
        return;
    const auto axis = static_cast<Axis>(m_axis->current());
    const std::vector<int> matches = matchesIn(axis);
    const auto count = static_cast<int>(matches.size());
    const TokenPair pair = m_session.pair();
    const auto found =
        std::find(matches.begin(), matches.end(), axis == Axis::Query ? pair.query : pair.key);
    QString words;
    if (m_field->text().isEmpty())
        words.clear();
    else if (count == 0)
        words = tr("No match");
    else if (found == matches.end())
        words = count == 1 ? tr("1 match") : tr("%1 matches").arg(count);
    else
        words = tr("%1 of %2").arg(found - matches.begin() + 1).arg(count);
    m_state->setText(words);
    m_state->setAccessibleName(words);
    m_previous->setEnabled(count > 0);
    m_next->setEnabled(count > 0);
}

} // namespace headscope::ui
