#include "ui/pages/next_token/token_generator.h"

#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/session/session.h"

namespace headscope::ui {

TokenGenerator::TokenGenerator(Session& session, QObject* parent)
    : QObject(parent)
    , m_session(session)
{
}

void TokenGenerator::setSettings(const SamplingSettings& settings)
{
    m_settings = settings;
}

void TokenGenerator::setSeed(int seed)
{
    m_seed = seed;
    m_refusal.clear();
}

void TokenGenerator::setRows(int rows)
{
    if (rows == m_rows)
        return;
    m_rows = rows;
    read();
}

void TokenGenerator::read()
{
    m_content = nextTokenContent(m_session.viewSnapshot(), {m_settings, m_rows});
    emit predicted();
}

QString TokenGenerator::text() const
{
    return m_session.models().readsTarget() ? m_session.document().target() : m_session.text();
}

void TokenGenerator::setText(const QString& text)
{
    if (m_session.models().readsTarget())
        m_session.document().setTarget(text);
    else
        m_session.document().setText(text);
}

bool TokenGenerator::isCurrent() const
{
    return m_session.traceA() &&
           m_session.computation().shownTicket() == m_session.computation().postedTicket();
}

void TokenGenerator::follow(bool isOtherModel, bool isOtherTrace)
{
    if (isOtherModel)
        m_steps.clear();
    forgetOtherSteps();
    read();
    if (m_left > 0 && isOtherTrace && isCurrent()) {
        if (sampleOne())
            --m_left;
        emit changed();
    }
}

/// Drops generated tokens that the text no longer contains.
void TokenGenerator::forgetOtherSteps()
{
    const std::size_t had = m_steps.size();
    while (!m_steps.empty() && !text().startsWith(m_steps.back().after))
        m_steps.pop_back();
    const bool edited =
        m_steps.size() != had || (!m_steps.empty() && text() != m_steps.back().after);
    if (m_left > 0 && edited)
        stop();
}

QString TokenGenerator::obstacle() const
{
    if (m_session.isCaptured())
        return tr("A captured trace cannot be continued. Open a model.");
    if (!m_session.model().model || !m_session.model().tokenizer)
        return tr("No model is open");
    if (m_session.document().readsChat())
        return tr("A chat is continued by turns. Choose \u201CWrite reply\u201D above");
    if (m_content.inPlace)
        return tr("This model is an encoder: it fills in positions of a text and does not "
                  "continue it, so no token can be sampled");
    if (isFinishing())
        return tr("The rest of a character is being sampled");
    if (m_content.distribution.empty())
        return tr("There is no prediction here");
    if (needsLastToken())
        return tr("Select the last token to continue the text there");
    const Changes& changes = m_session.changes();
    if (m_session.view().shownVariant() != Variant::A && (changes.text || changes.target))
        return tr("B has a different text. Show A to continue this one.");
    if (m_session.traceA()->tokens().size() >=
        static_cast<std::size_t>(m_session.models().longestText()))
        return tr("The text has reached the model's maximum length");
    return {};
}

bool TokenGenerator::needsLastToken() const
{
    return !m_session.isCaptured() && !m_content.inPlace && !m_content.distribution.empty() &&
           !m_content.isLast;
}

double TokenGenerator::nextUniform() const
{
    return drawOf(static_cast<std::uint64_t>(m_seed), generatedTokens());
}

TokenId TokenGenerator::nextToken() const
{
    return sampleAt(m_content.distribution, nextUniform());
}

int TokenGenerator::generatedTokens() const
{
    int tokens = 0;
    for (const Step& step : m_steps)
        tokens += step.tokens;
    return tokens;
}

void TokenGenerator::append(Step step)
{
    const QString after = step.after;
    m_steps.push_back(std::move(step));
    m_session.view().releasePair();
    setText(after);
}

bool TokenGenerator::refuse(const QString& why)
{
    m_refusal = why;
    stop();
    return false;
}

bool TokenGenerator::sampleOne()
{
    if (isFinishing())
        return false;
    m_refusal.clear();
    read();
    const QString why = obstacle();
    if (!why.isEmpty() || !isCurrent()) {
        if (!why.isEmpty())
            stop();
        return false;
    }
    const TokenId id = nextToken();
    const Tokenizer& tokenizer = *m_session.model().tokenizer;
    const QString label = labelOf(id, m_session.model());
    if (tokenizer.isSpecial(id))
        return refuse(tr("Sampled %1: the text ends here.").arg(label));
    const std::string bytes = tokenizer.tokenBytes(id);
    if (!isWholeText(bytes))
        return finish(id);
    const QString before = text();
    append({before, before + QString::fromStdString(bytes), label, 1});
    return true;
}

/// A partial character cannot be added to a text: the model continues by token ids until the
/// character is complete.
bool TokenGenerator::finish(TokenId first)
{
    if (m_session.models().readsTarget() || m_session.view().shownVariant() != Variant::A)
        return refuse(tr("%1 is part of a character and cannot be added alone. Such characters "
                         "can be completed in A for a model with one text. Choose another seed.")
                          .arg(labelOf(first, m_session.model())));
    const auto draw = [seed = static_cast<std::uint64_t>(m_seed),
                       from = generatedTokens()](int count) { return drawOf(seed, from + count); };
    const QString before = text();
    m_task.start(
        [draw, first, model = m_session.model(), trace = m_session.traceA(),
         settings = m_settings](const LatestTask::Control&) {
            return finishCharacter(model, trace->tokens(), first, settings, draw);
        },
        [this, before](const DrawnCharacter& drawn) { adopt(before, drawn); },
        [this, before](const QString&) { adopt(before, {}); }); // The character stays incomplete.
    emit changed();
    return true;
}

void TokenGenerator::adopt(const QString& before, const DrawnCharacter& drawn)
{
    if (before != text()) {
        emit changed(); // The text was edited meanwhile.
        return;
    }
    QStringList labels;
    for (const TokenId id : drawn.ids)
        labels << labelOf(id, m_session.model());
    if (!drawn.isWhole) {
        refuse(tr("%1 is not a complete character, so it cannot be added to the text. Choose "
                  "another seed.")
                   .arg(labels.join(QLatin1Char(' '))));
        return;
    }
    const QString text = QString::fromStdString(drawn.bytes);
    append({before, before + text, labels.join(QString()) + QStringLiteral(" = ") + text,
            static_cast<int>(drawn.ids.size())});
}

void TokenGenerator::generate(int tokens)
{
    if (isFinishing())
        return;
    m_left = tokens;
    if (sampleOne())
        --m_left;
    emit changed();
}

void TokenGenerator::stop()
{
    m_left = 0;
    emit changed();
}

void TokenGenerator::dropRest()
{
    m_left = 0;
}

void TokenGenerator::rewind(int index)
{
    if (index < 0 || index >= static_cast<int>(m_steps.size()))
        return;
    stop();
    const QString before = m_steps[static_cast<std::size_t>(index)].before;
    m_steps.resize(static_cast<std::size_t>(index));
    setText(before);
    emit changed();
}

} // namespace headscope::ui
