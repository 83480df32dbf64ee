#include "ui/pages/compare/texts_of_b.h"

#include "ui/pages/shared/boxes.h"
#include "ui/session/second_text.h"
#include "ui/widgets/labels.h"

#include <QLineEdit>

#include <optional>
#include <utility>

namespace headscope::ui {

namespace {

constexpr int kPauseMs = 300; // Typing B's sentence is one undo step until this pause (ms).

} // namespace

TextsOfB::TextsOfB(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_sentence(new QLineEdit(this))
    , m_targetTitle(heading(tr("and target"), this))
    , m_target(new QLineEdit(this))
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    m_sentence->setObjectName("sentenceOfB");
    m_sentence->setAccessibleName(tr("Sentence of B"));
    m_sentence->setPlaceholderText(tr("the same sentence"));
    m_sentence->setClearButtonEnabled(true);
    m_target->setClearButtonEnabled(true);
    rowOf(12, {heading(tr("B reads"), this), {m_sentence, 1}, m_targetTitle, {m_target, 1}}, this);
    for (QLineEdit* field : {m_sentence, m_target}) {
        connect(field, &QLineEdit::textEdited, this, [this] { m_pause.start(); });
        connect(field, &QLineEdit::editingFinished, this, &TextsOfB::choose);
    }
    connect(&m_pause, &QTimer::timeout, this, &TextsOfB::choose);
}

void TextsOfB::refresh()
{
    const Changes& changes = m_session.changes();
    const std::pair<QLineEdit*, QString> fields[] = {
        {m_sentence, changes.text.value_or(QString())},
        {m_target, changes.target.value_or(QString())}};
    for (const auto& [field, text] : fields) {
        const bool typing = field->hasFocus() && m_pause.isActive();
        if (!typing && field->text() != text)
            field->setText(text);
    }
    const bool isPair = readsPairs(m_session.models());
    m_targetTitle->setText(isPair ? tr("and second text") : tr("and target"));
    m_target->setAccessibleName(isPair ? tr("Second text of B") : tr("Target of B"));
    m_target->setPlaceholderText(isPair ? tr("the same second text") : tr("the same target"));
    m_target->setVisible(readsSecondText(m_session.models()));
    m_targetTitle->setVisible(readsSecondText(m_session.models()));
}

void TextsOfB::stop()
{
    for (QLineEdit* field : {m_sentence, m_target})
        field->disconnect(this);
}

/// Groups both fields into one undo step.
void TextsOfB::choose()
{
    m_pause.stop();
    const auto choice = [](const QLineEdit& field, const QString& ofA) {
        const QString text = field.text();
        return text.isEmpty() || text == ofA ? std::nullopt : std::optional(text);
    };
    Changes changes = m_session.changes();
    changes.text = choice(*m_sentence, m_session.text());
    changes.target = readsSecondText(m_session.models())
                         ? choice(*m_target, m_session.document().target())
                         : std::nullopt;
    const bool sameSentence = changes.text == m_session.changes().text;
    m_session.document().setChanges(changes,
                                    sameSentence ? tr("target of B") : tr("sentence of B"));
}

} // namespace headscope::ui
