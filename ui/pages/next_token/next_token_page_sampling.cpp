// What a person draws: one token, many, and back.
#include "ui/pages/next_token/next_token_strip.h"
#include "ui/pages/next_token/next_token_page.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/labels.h"

#include <QSpinBox>

namespace headscope::ui {

QString NextTokenPage::text() const
{
    return session().readsTarget() ? session().target() : session().text();
}

void NextTokenPage::setText(const QString& text)
{
    if (session().readsTarget())
        session().setTarget(text);
    else
        session().setText(text);
}

/// Tokens that the text no longer begins with are not ours any more.
void NextTokenPage::forgetOtherSteps()
{
    const std::size_t had = m_steps.size();
    while (!m_steps.empty() && !text().startsWith(m_steps.back().after))
        m_steps.pop_back();
    const bool edited =
        m_steps.size() != had || (!m_steps.empty() && text() != m_steps.back().after);
    if (m_left > 0 && edited)
        stop();
}

QString NextTokenPage::obstacle() const
{
    if (session().isCaptured())
        return tr("A captured trace cannot be continued: open a model");
    if (!session().model().model || !session().model().tokenizer)
        return tr("No model is open");
    if (m_content.inPlace)
        return tr("This model is an encoder: it reads a whole text and fills in places of it. It "
                  "does not "
                  "continue one, so nothing can be sampled");
    if (m_finishing)
        return tr("The rest of a character is being drawn");
    if (m_content.distribution.empty())
        return tr("Nothing is predicted here");
    if (!m_content.isLast)
        return tr("Select the last token to continue the text there");
    const Changes& changes = session().changes();
    if (session().shownRun() != Run::A && (changes.text || changes.target))
        return tr("B reads another text; show A to continue this one");
    if (session().traceA()->tokens().size() >= static_cast<std::size_t>(session().longestText()))
        return tr("The text is as long as this model can read");
    return {};
}

TokenId NextTokenPage::drawn() const
{
    return sampleAt(m_content.distribution,
                    drawOf(static_cast<std::uint64_t>(m_seed->value()), generatedTokens()));
}

int NextTokenPage::generatedTokens() const
{
    int tokens = 0;
    for (const Step& step : m_steps)
        tokens += step.tokens;
    return tokens;
}

void NextTokenPage::append(Step step)
{
    const QString after = step.after;
    m_steps.push_back(std::move(step));
    session().releasePair();
    setText(after);
}

bool NextTokenPage::sampleOne()
{
    if (m_finishing)
        return false;
    m_said.clear();
    showContent();
    const QString why = obstacle();
    if (!why.isEmpty() || !isCurrent()) {
        if (!why.isEmpty())
            stop();
        return false;
    }
    const TokenId id = drawn();
    const Tokenizer& tokenizer = *session().model().tokenizer;
    const QString label = labelOf(id, session().model());
    if (tokenizer.isSpecial(id)) {
        m_said = tr("%1 was drawn: the text ends here.").arg(label);
        stop();
        return false;
    }
    const std::string bytes = tokenizer.tokenBytes(id);
    if (!isWholeText(bytes))
        return finish(id);
    const QString before = text();
    append({before, before + QString::fromStdString(bytes), label, 1});
    return true;
}

/// A part of a character cannot stand in a text: the model goes on by itself, by ids, until the
/// character is whole.
bool NextTokenPage::finish(TokenId first)
{
    const QString label = labelOf(first, session().model());
    if (session().readsTarget() || session().shownRun() != Run::A) {
        m_said = tr("%1 is part of a character and cannot stand alone. Such characters can be "
                    "finished in A of a model with one text; choose another seed here.")
                     .arg(label);
        stop();
        return false;
    }
    m_finishing = true;
    const auto draw = [seed = static_cast<std::uint64_t>(m_seed->value()),
                       from = generatedTokens()](int count) { return drawOf(seed, from + count); };
    m_thread.run([this, draw, first, before = text(), model = session().model(),
                  trace = session().traceA(), settings = m_settings] {
        DrawnCharacter drawn;
        try {
            drawn = finishCharacter(model, trace->tokens(), first, settings, draw);
        } catch (const std::exception&) { // stays unfinished, which is said
        }
        m_home.send([this, before, drawn] { adopt(before, drawn); });
    });
    showWords();
    return true;
}

void NextTokenPage::adopt(const QString& before, const DrawnCharacter& drawn)
{
    m_finishing = false;
    if (before != text())
        return showWords(); // typed over meanwhile
    QStringList labels;
    for (const TokenId id : drawn.ids)
        labels << labelOf(id, session().model());
    if (!drawn.isWhole) {
        m_said = tr("%1 is no whole character, so it cannot stand in a text. Choose another seed.")
                     .arg(labels.join(QLatin1Char(' ')));
        return stop();
    }
    const QString text = QString::fromStdString(drawn.bytes);
    append({before, before + text, labels.join(QString()) + QStringLiteral(" = ") + text,
            static_cast<int>(drawn.ids.size())});
}

void NextTokenPage::generate(int tokens)
{
    if (m_finishing)
        return;
    m_left = tokens;
    if (sampleOne())
        --m_left;
    showWords();
}

void NextTokenPage::stop()
{
    m_left = 0;
    showWords();
}

void NextTokenPage::rewind(int index)
{
    if (index < 0 || index >= generatedSteps())
        return;
    stop();
    const QString before = m_steps[static_cast<std::size_t>(index)].before;
    m_steps.resize(static_cast<std::size_t>(index));
    setText(before);
    showWords();
}

} // namespace headscope::ui
