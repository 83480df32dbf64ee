#include "ui/pages/next_token/fill_in_controls.h"

#include "core/analysis/lens/next_sentence.h"
#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/session/masked_words.h"
#include "ui/session/session.h"
#include "ui/widgets/labels.h"

#include <QPushButton>

namespace headscope::ui {

namespace {

constexpr int kWidth = 208;

} // namespace

FillInControls::FillInControls(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_state(paragraph({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_mask(new QPushButton(this))
    , m_write(new QPushButton(this))
    , m_pairTitle(heading(tr("Next sentence"), this))
    , m_pair(paragraph({}, TextRole::Body, TextLabel::Tone::Text2, this))
{
    for (TextLabel* text : {m_state, m_pair})
        text->setFixedWidth(kWidth);
    m_mask->setObjectName("maskToken");
    m_write->setObjectName("writeCandidate");
    m_mask->setProperty("role", "primary");
    m_mask->setFixedHeight(40);
    m_write->setFixedHeight(32);
    columnOf(10,
             {heading(tr("Masked word"), this), m_state, m_mask, m_write, Placed::gap(16),
              m_pairTitle, m_pair, Placed::space()},
             this);
    setFixedWidth(kWidth);
    connect(m_mask, &QPushButton::clicked, this, &FillInControls::toggleMask);
    connect(m_write, &QPushButton::clicked, this, &FillInControls::writeCandidate);
    setContent({}, std::nullopt);
}

void FillInControls::setContent(const NextTokenContent& content, std::optional<int> row)
{
    m_content = content;
    m_row = row;
    const MaskedWords& masked = MaskedWords::of(m_session);
    const bool isMask = masked.isMask(m_content.position);
    const QString why = masked.obstacle(m_content.position);
    m_state->setText(stateText());
    m_mask->setText(isMask ? tr("Unmask the token") : tr("Mask the token"));
    m_mask->setEnabled(why.isEmpty());
    m_mask->setToolTip(!why.isEmpty() ? why : tr("Key M, or a click on the token below"));
    m_write->setEnabled(isMask && candidate());
    m_write->setText(candidate() ? tr("Write \u201C%1\u201D").arg(candidate()->label)
                                 : tr("Write the candidate"));
    m_write->setToolTip(tr("Key W, or a double click on a candidate"));
    const LoadedModel& model = m_session.model();
    const bool asksPairs = model.model && model.model->config().nextSentence;
    m_pairTitle->setVisible(asksPairs);
    m_pair->setVisible(asksPairs);
    m_pair->setText(pairText());
}

const NextTokenRow* FillInControls::candidate() const
{
    const auto index = static_cast<std::size_t>(m_row.value_or(0));
    return index < m_content.rows.size() ? &m_content.rows[index] : nullptr;
}

QString FillInControls::stateText() const
{
    const MaskedWords& masked = MaskedWords::of(m_session);
    if (m_content.position < 0)
        return tr("Type a text.");
    if (!masked.isMask(m_content.position))
        return tr("The model sees \u201C%1\u201D. Mask it to let the model predict it from the "
                  "words on both sides.")
            .arg(m_content.after);
    const QString word = masked.hiddenWord(m_content.position);
    return word.isEmpty() ? tr("The model predicts this word from the words on both sides.")
                          : hiddenText(word);
}

QString FillInControls::hiddenText(const QString& word) const
{
    const TokenSequence tokens = m_session.model().tokenizer->encode(word.toStdString(), false);
    const auto standing =
        tokens.size() == 1
            ? standingOf(m_session.viewSnapshot(), m_content.position, tokens.tokens.front().id)
            : std::nullopt;
    if (!standing)
        return tr("The mask hides \u201C%1\u201D.").arg(word.trimmed());
    return tr("The mask hides \u201C%1\u201D: probability %2, rank %3 of %4.")
        .arg(word.trimmed(), number(standing->probability, 3))
        .arg(standing->rank)
        .arg(count(m_content.vocabulary));
}

QString FillInControls::pairText() const
{
    const ViewSnapshot view = m_session.viewSnapshot();
    const TracePtr& trace = view.trace(variantOf(view));
    const auto follows = trace ? followsProbability(*trace) : std::nullopt;
    if (!follows)
        return tr("Type a second text at the top, after the plus sign: does it follow the first?");
    return *follows >= 0.5 ? tr("The second text follows the first, with probability %1.")
                                 .arg(number(*follows, 3))
                           : tr("The second text does not follow the first, with probability %1.")
                                 .arg(number(1.0 - *follows, 3));
}

bool FillInControls::toggleMask()
{
    return MaskedWords::of(m_session).toggle(m_content.position);
}

bool FillInControls::writeCandidate()
{
    return candidate() && MaskedWords::of(m_session).write(m_content.position, candidate()->id);
}

} // namespace headscope::ui
