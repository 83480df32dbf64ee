#include "ui/pages/causal/causal_cards.h"

#include "ui/pages/causal/causal_cost.h"
#include "ui/pages/causal/causal_measurement.h"
#include "ui/pages/causal/causal_names.h"
#include "ui/pages/shared/boxes.h"
#include "ui/session/session.h"
#include "ui/widgets/labels.h"

#include <QPushButton>

namespace headscope::ui {

CausalCards::CausalCards(Session& session, CausalMeasurement& measurement, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_measurement(measurement)
    , m_cards{{{CausalSection::Heads}, {CausalSection::Patch}, {CausalSection::Path}}}
{
    const auto line = [this] { return new Hairline(Qt::Vertical, this); };
    auto* row = rowOf(
        24, {{makeCard(m_cards[0], "heads", tr("Ablate heads"),
                       tr("Replace the output of each head in turn: which heads does the "
                          "prediction need?")),
              1},
             line(),
             {makeCard(m_cards[1], "patch", tr("Patch"),
                       tr("Put activations of the clean run into a corrupted one: where is the "
                          "information that restores the answer?")),
              1},
             line(),
             {makeCard(m_cards[2], "path", tr("Causal tracing"),
                       tr("Trace a fact from its tokens through attention and MLPs to the "
                          "answer.")),
              1}});
    columnOf(0, {Placed::gap(24), {row, 0}, Placed::space()}, this);
}

QLayout* CausalCards::makeCard(Card& card, const QString& name, const QString& title,
                               const QString& text)
{
    auto* what = paragraph(text, TextRole::Lesson, TextLabel::Tone::Text2, this);
    card.cost = paragraph({}, TextRole::Body, TextLabel::Tone::Text, this);
    card.cost->setObjectName(name + "Cost");
    card.start = paragraph({}, TextRole::Body, TextLabel::Tone::Text3, this);
    card.start->setObjectName(name + "Start");
    card.run = new QPushButton(tr("Run"), this);
    card.run->setObjectName(name + "Run");
    card.run->setAccessibleName(tr("Run: %1").arg(title));
    connect(card.run, &QPushButton::clicked, this,
            [this, section = card.section] { run(section); });
    return columnOf(8, {heading(title, this),
                        what,
                        card.cost,
                        card.start,
                        {card.run, 0, Qt::AlignLeft},
                        Placed::space()});
}

void CausalCards::run(CausalSection section)
{
    CausalChoice choice = m_measurement.choice();
    choice.section = section;
    m_measurement.choose(choice);
    m_measurement.start();
}

/// The score of the selected head that the ablations are compared with; for the others the two
/// texts, or what is missing.
QString CausalCards::startText(CausalSection section) const
{
    const ViewSnapshot view = m_session.viewSnapshot();
    CausalChoice choice = m_measurement.choice();
    choice.section = section;
    const QString problem = causalProblem(view, choice);
    if (!problem.isEmpty())
        return problem;
    if (section != CausalSection::Heads)
        return tr("Corrupted: \u201C%1\u201D").arg(corruptedText(view, choice));
    const HeadScoreTable scores = m_measurement.scores();
    const HeadId head = view.selection.headId();
    if (head.layer >= scores.layers || head.head >= scores.heads)
        return {};
    const HeadScore score = comparedScore(choice, scores);
    return tr("Head %1: %2 %3")
        .arg(headName(head), scoreInSentence(score),
             scoreText(score, scores.at(head.layer, head.head, score)));
}

void CausalCards::refresh()
{
    const ViewSnapshot view = m_session.viewSnapshot();
    for (Card& card : m_cards) {
        const auto cost = costOf(view, card.section);
        card.cost->setText(cost ? costText(*cost) : QString());
        card.start->setText(startText(card.section));
        CausalChoice choice = m_measurement.choice();
        choice.section = card.section;
        card.run->setEnabled(cost && causalProblem(view, choice).isEmpty());
    }
}

} // namespace headscope::ui
