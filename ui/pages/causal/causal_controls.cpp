#include "ui/pages/causal/causal_controls.h"

#include "core/analysis/lens/next_token.h"
#include "ui/pages/causal/causal_measurement.h"
#include "ui/pages/causal/causal_names.h"
#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/session/session.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"

#include <QLineEdit>
#include <QPushButton>
#include <QStandardItemModel>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>

namespace headscope::ui {

namespace {

constexpr int kPositionLength = 18; // characters

TextLabel* rowCaption(const QString& text, QWidget* parent)
{
    return new TextLabel(text, TextRole::Body, TextLabel::Tone::Text2, parent);
}

void choose(ChoiceBox& box, int data)
{
    const int index = box.findData(data);
    box.setCurrentIndex(std::max(0, index));
}

/// Candidates for the next token at a position, most probable first, and the actual one.
std::vector<TokenId> candidatesOf(const TracePtr& trace, std::int64_t position)
{
    constexpr int kCandidates = 12;
    std::vector<TokenId> ids;
    if (!trace || position >= static_cast<std::int64_t>(trace->tokens().size()))
        return ids;
    for (const Candidate& candidate : nextTokens(*trace, position, kCandidates, nullptr))
        ids.push_back(candidate.id);
    const std::vector<TokenId> own = trace->tokens().ids();
    if (static_cast<std::size_t>(position) + 1 < own.size())
        ids.push_back(own[static_cast<std::size_t>(position) + 1]);
    return ids;
}

} // namespace

CausalControls::CausalControls(Session& session, CausalMeasurement& measurement, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_measurement(measurement)
    , m_section(new SegmentBar(this))
    , m_metric(new SegmentBar(this))
    , m_states(rowCaption({}, this))
    , m_token(new ChoiceBox(this))
    , m_other(new ChoiceBox(this))
    , m_position(new ChoiceBox(this))
    , m_minus(rowCaption(tr("minus"), this))
    , m_after(rowCaption(tr("after"), this))
    , m_replacement(new SegmentBar(this))
    , m_score(new ChoiceBox(this))
    , m_scoreCaption(rowCaption(tr("Compare with"), this))
    , m_corrupted(new QLineEdit(this))
    , m_site(new ChoiceBox(this))
    , m_run(new QPushButton(tr("Run"), this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
    , m_status(caption({}, this))
{
    columnOf(8, {makeTopRow(), makeMetricRow(), makeSettingsRow()}, this);
    connectBars();
    connectBoxes();
    connectRun();
    connect(&m_measurement, &CausalMeasurement::progressed, this, &CausalControls::refreshStatus);
}

const CausalChoice& CausalControls::choice() const
{
    return m_measurement.choice();
}

QLayout* CausalControls::makeTopRow()
{
    m_section->setSegments(
        {{tr("Ablate heads"), tr("Ablate each head in turn and measure the change in the "
                                 "metric")},
         {tr("Patch"), tr("Patch activations of the clean run into the corrupted run")},
         {tr("Causal tracing"), tr("Trace a fact from its tokens to the answer, step by step")}});
    m_section->setAccessibleName(tr("Test"));
    return rowOf(12, {m_section, Placed::space()});
}

QLayout* CausalControls::makeMetricRow()
{
    using Kind = GradientTarget::Kind;
    m_metric->setSegments(
        {{metricName(Kind::Logit), tr("Logit of one token")},
         {metricName(Kind::LogitDifference), tr("Logit of one token minus another's")},
         {metricName(Kind::Loss), tr("Mean loss of the text in nats; lower is "
                                     "better")}});
    m_metric->setAccessibleName(tr("Metric"));
    m_token->setPurpose(tr("Token"));
    m_other->setPurpose(tr("Contrast token"));
    m_position->setPurpose(tr("Position"));
    for (ChoiceBox* box : {m_token, m_other, m_site, m_score})
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_position->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_position->setMinimumContentsLength(kPositionLength); // of a thousand tokens
    return rowOf(12, {rowCaption(tr("Metric"), this), m_metric, m_states, m_token, m_minus, m_other,
                      m_after, m_position, Placed::space()});
}

void CausalControls::setUpReplacements()
{
    m_replacement->setSegments(
        {{replacementName(Replacement::Zero), tr("Replace the head's output by zero")},
         {replacementName(Replacement::Mean), tr("Replace it by its mean over the tokens of "
                                                 "this text")},
         {replacementName(Replacement::Resample),
          tr("Replace it by its output at another token of this text, sampled at random "
             "(seed 1)")}});
    m_replacement->setAccessibleName(tr("Replacement of a head's output"));
    for (const HeadScoreInfo& info : headScoreInfos())
        if (info.needs == HeadScoreNeeds::Text)
            m_score->addItem(scoreTitle(info.score), static_cast<int>(info.score));
    m_score->setPurpose(tr("Compare with"));
}

QLayout* CausalControls::makeSettingsRow()
{
    setUpReplacements();
    m_corrupted->setPlaceholderText(tr("Corrupted text: same number of tokens, different answer"));
    m_corrupted->setAccessibleName(tr("Corrupted text"));
    m_corrupted->setMinimumWidth(260);
    m_site->setPurpose(tr("Activation to patch"));
    m_run->setProperty("role", "primary");
    m_cancel->setProperty("role", "link");
    return rowOf(12, {m_replacement,
                      m_scoreCaption,
                      m_score,
                      {m_corrupted, 1},
                      m_site,
                      m_run,
                      m_cancel,
                      m_status,
                      Placed::space()});
}

void CausalControls::connectBars()
{
    connect(m_section, &SegmentBar::currentChanged, this, [this](int index) {
        CausalChoice changed = choice();
        changed.section = static_cast<CausalSection>(index);
        m_measurement.choose(changed);
    });
    connect(m_metric, &SegmentBar::currentChanged, this, [this](int index) {
        CausalChoice changed = choice();
        changed.metric = static_cast<GradientTarget::Kind>(index);
        m_measurement.choose(changed);
    });
    connect(m_replacement, &SegmentBar::currentChanged, this, [this](int index) {
        CausalChoice changed = choice();
        changed.replacement = static_cast<Replacement>(index);
        m_measurement.choose(changed);
    });
}

void CausalControls::follow(ChoiceBox* box, void (*take)(CausalChoice& choice, int data))
{
    connect(box, &QComboBox::activated, this, [this, box, take](int index) {
        CausalChoice changed = choice();
        take(changed, box->itemData(index).toInt());
        m_measurement.choose(changed);
    });
}

void CausalControls::connectBoxes()
{
    follow(m_token, [](CausalChoice& changed, int id) { changed.token = id; });
    follow(m_other, [](CausalChoice& changed, int id) { changed.other = id; });
    follow(m_position, [](CausalChoice& changed, int position) {
        changed.position = position;
        changed.token = changed.other = -1; // Another position has other candidates.
    });
    follow(m_site, [](CausalChoice& changed, int site) {
        changed.site = static_cast<PatchSite>(site);
        changed.cell.reset();
    });
    follow(m_score,
           [](CausalChoice& changed, int score) { changed.score = static_cast<HeadScore>(score); });
}

void CausalControls::connectRun()
{
    connect(m_corrupted, &QLineEdit::textEdited, this, [this](const QString& text) {
        CausalChoice changed = choice();
        changed.corrupted = text;
        m_measurement.choose(changed);
    });
    connect(m_corrupted, &QLineEdit::returnPressed, &m_measurement, &CausalMeasurement::start);
    connect(m_run, &QPushButton::clicked, &m_measurement, &CausalMeasurement::start);
    connect(m_cancel, &QPushButton::clicked, &m_measurement, &CausalMeasurement::cancel);
}

void CausalControls::refresh()
{
    refreshChoices();
    refreshVisible();
    refreshTokens();
    refreshStatus();
}

void CausalControls::refreshChoices()
{
    m_section->setCurrent(static_cast<int>(choice().section));
    m_metric->setCurrent(static_cast<int>(choice().metric));
    m_replacement->setCurrent(static_cast<int>(choice().replacement));
    choose(*m_score, static_cast<int>(comparedScore(choice(), m_measurement.scores())));
    const QString text = corruptedText(m_session.viewSnapshot(), choice());
    if (m_corrupted->text() != text && !m_corrupted->hasFocus())
        m_corrupted->setText(text);
}

/// Hides options that the test or the model does not use.
void CausalControls::refreshVisible()
{
    const ViewSnapshot view = m_session.viewSnapshot();
    const bool states = watchesStates(view);
    const bool heads = choice().section == CausalSection::Heads;
    const bool loss = choice().metric == GradientTarget::Kind::Loss;
    const bool difference = !states && choice().metric == GradientTarget::Kind::LogitDifference;
    for (QWidget* widget : std::initializer_list<QWidget*>{m_token, m_position, m_after})
        widget->setVisible(!loss && !states);
    m_metric->setVisible(!states);
    m_states->setVisible(states);
    m_states->setText(states ? metricText(view, {}) : QString());
    m_minus->setVisible(difference);
    m_other->setVisible(difference);
    m_replacement->setVisible(heads && !states);
    m_scoreCaption->setVisible(heads);
    m_score->setVisible(heads);
    m_corrupted->setVisible(!heads);
    m_site->setVisible(choice().section == CausalSection::Patch);
}

void CausalControls::refreshTokens()
{
    const ViewSnapshot view = m_session.viewSnapshot();
    for (ChoiceBox* box : {m_token, m_other, m_site})
        box->clear();
    if (!view.a || !view.modelA.model || watchesStates(view) ||
        !causalProblem(view, CausalChoice()).isEmpty()) {
        m_position->clear();
        m_positions.clear();
        return;
    }
    fillTokens(metricFor(view, choice()));
    fillPositions();
    fillSites();
}

void CausalControls::fillTokens(const GradientTarget& metric)
{
    const ViewSnapshot view = m_session.viewSnapshot();
    std::set<TokenId> listed;
    const auto add = [&](TokenId id) {
        if (id < 0 || !listed.insert(id).second)
            return;
        const QString label = QStringLiteral("\u201C%1\u201D").arg(labelOf(id, view.modelA));
        m_token->addItem(label, id);
        m_other->addItem(label, id);
    };
    m_token->addItem(tr("first choice"), -1);
    m_other->addItem(choice().section == CausalSection::Heads ? tr("second choice")
                                                              : tr("corrupted answer"),
                     -1);
    add(metric.token);
    add(metric.other);
    for (const TracePtr& trace : {view.a, view.b})
        for (const TokenId id : candidatesOf(trace, metric.position))
            add(id);
    choose(*m_token, metric.token);
    choose(*m_other, metric.other);
}

void CausalControls::fillPositions()
{
    const ViewSnapshot view = m_session.viewSnapshot();
    const QStringList labels = labelsOf(view.a->tokens(), view.modelA);
    if (m_position->count() == 0 || labels != m_positions) {
        auto* model = new QStandardItemModel(m_position); // added one by one they take 40 ms
        const auto add = [model](const QString& text, int position) {
            auto* item = new QStandardItem(text);
            item->setData(position, Qt::UserRole);
            model->appendRow(item);
        };
        add(tr("the last token"), -1);
        for (int position = 0; position < labels.size(); ++position)
            add(tr("token %1 \u201C%2\u201D").arg(position).arg(labels[position]), position);
        m_position->setModel(model);
        m_positions = labels;
    }
    choose(*m_position, choice().position);
}

void CausalControls::fillSites()
{
    for (const PatchSite site : patchSites(m_session.viewSnapshot().modelA.model->config()))
        m_site->addItem(patchSiteName(site), static_cast<int>(site));
    choose(*m_site, static_cast<int>(choice().site));
}

void CausalControls::refreshStatus()
{
    const bool running = m_measurement.isRunning();
    m_cancel->setVisible(running);
    m_run->setVisible(!running && !m_measurement.isKnown());
    m_run->setEnabled(m_measurement.isPossible() && !m_session.computation().isRunning());
    if (running) {
        m_status->setText(tr("%1 % done").arg(std::lround(100.0 * m_measurement.progress())));
    } else if (const AblationSweep* done = m_measurement.sweep()) {
        m_status->setText(
            tr("Heads: %1 in %2 s, %3 times as long as one forward pass per head")
                .arg(static_cast<int>(done->heads.size()))
                .arg(number(done->seconds, 2), number(done->ratioToPlainPasses(), 2)));
    } else if (const PatchGrid* patched = m_measurement.grid()) {
        m_status->setText(tr("clean %1, corrupted %2; %3 s")
                              .arg(number(patched->clean, 2), number(patched->corrupted, 2),
                                   number(patched->seconds, 2)));
    } else {
        m_status->clear();
    }
}

} // namespace headscope::ui
