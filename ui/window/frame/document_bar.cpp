#include "ui/window/frame/document_bar.h"

#include "ui/session/runs/training.h"
#include "ui/session/second_text.h"
#include "ui/widgets/labels.h"
#include "ui/window/frame/fixed_parts.h"
#include "ui/window/frame/live_label.h"
#include "ui/window/frame/sentence_field.h"
#include "ui/window/frame/token_rows.h"
#include "ui/window/frame/window_texts.h"
#include "ui/window/models/model_chooser.h"

#include <QHBoxLayout>

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
    , m_sentence(new SentenceField)
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
    m_targetMark->setAlignment(Qt::AlignCenter);
    m_targetMark->setFixedWidth(32);
    m_targetMark->setForegroundRole(QPalette::WindowText); // default would be the tool bar's role
    m_live->setMinimumWidth(kLiveWidth);
    m_live->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred); // elided text has a tooltip
    auto* row = new QHBoxLayout(m_row);
    row->setSpacing(0);
    row->setContentsMargins(16, 8, 24, 8);
    row->addWidget(m_chooser);
    row->addSpacing(12);
    row->addWidget(m_sentence, 1);
    row->addWidget(m_targetMark);
    row->addWidget(m_target, 1);
    row->addSpacing(24);
    row->addWidget(m_live);
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
    m_sentence->showText(m_session.text());
    m_target->showText(m_session.document().target());
}

/// Makes the text read-only for a captured trace.
void DocumentBar::refreshModel()
{
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
    m_row->setFixedHeight(qRound(kSentenceHeight * Theme::of(*m_row).scale()));
    m_chooser->fitSize();
    m_tokens->fitHeight();
}

} // namespace headscope::ui
