#include "ui/pages/causal/causal_page.h"

#include "ui/pages/causal/causal_map.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/figures/overview_figure.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/heads/head_grid_widget.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/controls/step_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace headscope::ui {

namespace {

constexpr int kSideWidth = 300;

TextLabel* rowCaption(const QString& text, QWidget* parent)
{
    return new TextLabel(text, TextRole::Body, TextLabel::Tone::Text2, parent);
}

} // namespace

CausalPage::CausalPage(Session& session, QWidget* parent)
    : Page(session, parent)
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
    , m_stack(new QStackedWidget(this))
{
    setProperty("role", "page");
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 16, 24, 16);
    column->setSpacing(8);
    column->addLayout(makeTopRow());
    column->addLayout(makeMetricRow());
    column->addLayout(makeSettingsRow());
    column->addSpacing(8);
    m_stack->addWidget(makeHeads());
    m_stack->addWidget(makeMaps());
    column->addWidget(m_stack, 1);
    auto* caveat =
        caption(tr("A test holds for this text and this number. A head that matters here "
                   "may not matter elsewhere, and where several do the same, the others "
                   "stand in for the one that is off."),
                this);
    caveat->setWordWrap(true);
    column->addWidget(caveat);
    auto* blank = new QWidget(this);
    m_stack->addWidget(blank);
    m_empty = new EmptyState(blank);
    connectChoices();
    connectPictures();
    connectWorker();
    refreshControls();
}

QLayout* CausalPage::makeTopRow()
{
    m_section->setSegments(
        {{tr("Switch heads off"), tr("Each head in turn: how much the watched number changes")},
         {tr("Patch"), tr("Parts of a run on this text, put into a run on another")},
         {tr("Path of a fact"), tr("From the tokens that hold it to the answer, step by step")}});
    m_section->setAccessibleName(tr("Test"));
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(heading(tr("Causal tests"), this));
    row->addStretch(1);
    row->addWidget(m_section);
    return row;
}

QLayout* CausalPage::makeMetricRow()
{
    using Kind = GradientTarget::Kind;
    m_metric->setSegments({{metricName(Kind::Logit), tr("Of one token")},
                           {metricName(Kind::LogitDifference), tr("Of one token minus another's")},
                           {metricName(Kind::Loss), tr("Of the text, in nats: lower is better")}});
    m_metric->setAccessibleName(tr("Watched number"));
    m_token->setPurpose(tr("Token"));
    m_other->setPurpose(tr("Token that is subtracted"));
    m_position->setPurpose(tr("Position"));
    for (ChoiceBox* box : {m_token, m_other, m_position, m_site, m_score})
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(rowCaption(tr("Watch"), this));
    row->addWidget(m_metric);
    row->addWidget(m_states);
    row->addWidget(m_token);
    row->addWidget(m_minus);
    row->addWidget(m_other);
    row->addWidget(m_after);
    row->addWidget(m_position);
    row->addStretch(1);
    return row;
}

QLayout* CausalPage::makeSettingsRow()
{
    m_replacement->setSegments(
        {{replacementName(Replacement::Zero), tr("A head that is off says nothing")},
         {replacementName(Replacement::Mean), tr("Its mean over the tokens of this text")},
         {replacementName(Replacement::Resample),
          tr("What it says at another token of this text, drawn by chance with seed 1")}});
    m_replacement->setAccessibleName(tr("In place of a head"));
    for (const HeadScoreInfo& info : headScoreInfos())
        if (info.needs == HeadScoreNeeds::Text)
            m_score->addItem(scoreTitle(info.score), static_cast<int>(info.score));
    m_score->setPurpose(tr("Compare with"));
    m_corrupted->setPlaceholderText(tr("Corrupted text: as many tokens, another answer"));
    m_corrupted->setAccessibleName(tr("Corrupted text"));
    m_corrupted->setMinimumWidth(260);
    m_site->setPurpose(tr("What is put back"));
    m_run->setProperty("role", "primary");
    m_cancel->setProperty("role", "link");
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(m_replacement);
    row->addWidget(m_scoreCaption);
    row->addWidget(m_score);
    row->addWidget(m_corrupted, 1);
    row->addWidget(m_site);
    row->addWidget(m_run);
    row->addWidget(m_cancel);
    row->addWidget(m_status);
    row->addStretch(1);
    return row;
}

QWidget* CausalPage::makeHeads()
{
    auto* page = new QWidget(this);
    m_grid = new HeadGridWidget(page);
    m_grid->setAccessibleName(tr("Map of effects"));
    m_legend = new ColourBar(page);
    m_scatter = new ScatterWidget(page);
    m_scatter->setAccessibleName(tr("Looks important against is important"));
    m_correlation = caption({}, page);
    m_correlation->setWordWrap(true);
    m_table = new ScoreTable(page);
    m_table->setAccessibleName(tr("Effects of heads"));
    auto* left = new QVBoxLayout;
    left->setSpacing(8);
    left->addWidget(m_grid, 1);
    left->addWidget(m_legend);
    auto* middle = new QVBoxLayout;
    middle->setSpacing(8);
    middle->addWidget(m_scatter, 1);
    middle->addWidget(m_correlation);
    auto* row = new QHBoxLayout(page);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(24);
    row->addLayout(left, 2);
    row->addLayout(middle, 4);
    row->addWidget(m_table, 4);
    return page;
}

QWidget* CausalPage::makeMaps()
{
    auto* page = new QWidget(this);
    m_steps = new StepBar(page);
    m_steps->setAccessibleName(tr("Steps"));
    m_map = new CausalMap(page);
    m_map->setAccessibleName(tr("What is restored"));
    HeatmapOptions options;
    options.decimals = 2;
    options.largestCell = 52.0;
    m_map->setOptions(options);
    m_map->setZoomable(true);
    m_mapLegend = new ColourBar(page);
    m_title = heading({}, page);
    m_words = new TextLabel({}, TextRole::Body, TextLabel::Tone::Text, page);
    m_words->setWordWrap(true);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_apply = new QPushButton(tr("Apply as change"), page);
    m_apply->setToolTip(tr("B reads the corrupted text with this one activation of A put back"));
    m_back = new QPushButton(tr("Back"), page);
    m_next = new QPushButton(tr("Next"), page);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_back);
    buttons->addWidget(m_next);
    buttons->addWidget(m_apply);
    buttons->addStretch(1);
    auto* side = new QWidget(page);
    side->setFixedWidth(kSideWidth);
    auto* beside = new QVBoxLayout(side);
    beside->setContentsMargins(0, 0, 0, 0);
    beside->setSpacing(8);
    beside->addWidget(m_title);
    beside->addWidget(m_words);
    beside->addLayout(buttons);
    beside->addStretch(1);
    beside->addWidget(m_mapLegend);
    auto* body = new QHBoxLayout;
    body->setSpacing(24);
    body->addWidget(m_map, 1);
    body->addWidget(side);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    column->addWidget(m_steps);
    column->addLayout(body, 1);
    return page;
}

void CausalPage::connectChoices()
{
    connect(m_section, &SegmentBar::currentChanged, this, [this](int index) {
        m_choice.section = static_cast<CausalSection>(index);
        changed();
    });
    connect(m_metric, &SegmentBar::currentChanged, this, [this](int index) {
        m_choice.metric = static_cast<GradientTarget::Kind>(index);
        changed();
    });
    connect(m_replacement, &SegmentBar::currentChanged, this, [this](int index) {
        m_choice.replacement = static_cast<Replacement>(index);
        changed();
    });
    const auto follow = [this](ChoiceBox* box, auto take) {
        connect(box, &QComboBox::activated, this, [this, box, take](int index) {
            take(box->itemData(index).toInt());
            changed();
        });
    };
    follow(m_token, [this](int id) { m_choice.token = id; });
    follow(m_other, [this](int id) { m_choice.other = id; });
    follow(m_position, [this](int position) {
        m_choice.position = position;
        m_choice.token = m_choice.other = -1; // another place has other candidates
    });
    follow(m_site, [this](int site) {
        m_choice.site = static_cast<PatchSite>(site);
        m_choice.cell.reset();
    });
    connect(m_score, &QComboBox::activated, this, [this](int index) {
        m_choice.score = static_cast<HeadScore>(m_score->itemData(index).toInt());
        changed();
    });
    connect(m_corrupted, &QLineEdit::textEdited, this, [this](const QString& text) {
        m_choice.corrupted = text;
        changed();
    });
    connect(m_corrupted, &QLineEdit::returnPressed, this, &CausalPage::start);
    connect(m_run, &QPushButton::clicked, this, &CausalPage::start);
    connect(m_cancel, &QPushButton::clicked, &m_worker, &CausalWorker::cancel);
}

void CausalPage::connectPictures()
{
    connect(m_grid, &HeadGridWidget::headActivated, this, &CausalPage::activate);
    connect(m_grid, &HeadGridWidget::headOpened, this,
            [this] { emit pageWanted(QStringLiteral("head")); });
    m_grid->setToolTipText([this](HeadIndex head) {
        const HeadEffect* effect = m_sweep.find(head);
        return effect ? tr("effect %1").arg(signedNumber(effect->effect, 3)) : QString();
    });
    connect(m_scatter, &ScatterWidget::pointActivated, this,
            [this](int point) { activate(m_sweep.points[static_cast<std::size_t>(point)]); });
    connect(m_scatter, &ScatterWidget::pointOpened, this,
            [this] { emit pageWanted(QStringLiteral("head")); });
    connect(m_table, &ScoreTable::rowActivated, this,
            [this](int row) { activate(m_sweep.order[static_cast<std::size_t>(row)]); });
    connect(m_table, &ScoreTable::rowOpened, this,
            [this] { emit pageWanted(QStringLiteral("head")); });
    connect(m_table, &ScoreTable::columnChosen, this, [this](int column) {
        m_choice.byScore = column == 3;
        refreshAll();
    });
    connect(m_map, &HeatmapWidget::cellActivated, this, &CausalPage::chooseCell);
    connect(m_map, &HeatmapWidget::currentClicked, this, [this] { escape(); });
    connect(m_apply, &QPushButton::clicked, this, &CausalPage::applyAsChange);
    const auto go = [this](int step) {
        m_choice.step = step;
        refreshAll();
    };
    connect(m_steps, &StepBar::stepChosen, this, go);
    connect(m_back, &QPushButton::clicked, this, [this, go] { go(m_choice.step - 1); });
    connect(m_next, &QPushButton::clicked, this, [this, go] { go(m_choice.step + 1); });
}

void CausalPage::connectWorker()
{
    connect(&m_scorer, &HeadScorer::traceScored, this, [this](const ScoredText& scored) {
        m_scores = *scored.tables;
        refreshAll();
    });
    connect(&m_worker, &CausalWorker::advanced, this, [this](double share) {
        m_share = share;
        refreshStatus();
    });
    connect(&m_worker, &CausalWorker::otherFound, this, [this](TokenId token) {
        m_choice.foundFor = pairName(session().looking(), m_choice);
        m_choice.foundOther = token;
        m_wanted = m_tried = keyNow();
    });
    connect(&m_worker, &CausalWorker::finished, this, &CausalPage::adopt);
    connect(&m_worker, &CausalWorker::failed, this, [this](const QString& sentence) {
        m_wanted.clear();
        m_failure = sentence.isEmpty() ? tr("Cancelled.") : sentence;
        refreshAll();
    });
}

// ---------------------------------------------------------------------------- what a person means

void CausalPage::changed()
{
    m_failure.clear();
    m_tried.clear();
    refreshAll();
    startIfQuick();
}

void CausalPage::activate(HeadIndex head)
{
    if (session().selection().part == AttentionPart::Encoder)
        session().activatePart(AttentionPart::Decoder);
    session().activateHead(head.layer, head.head);
}

void CausalPage::chooseCell(HeatmapCell cell)
{
    if (m_choice.section != CausalSection::Patch)
        return;
    m_choice.cell = cell;
    const bool ofHeads = !isByPosition(m_choice.site) && m_choice.site != PatchSite::Cell;
    if (ofHeads && m_choice.site != PatchSite::Key && m_choice.site != PatchSite::Value)
        activate({cell.row, cell.column});
    refreshAll();
}

/// The same run as B of the window: the corrupted text, one activation of A in it.
void CausalPage::applyAsChange()
{
    constexpr Site kSites[] = {Site::ResidPre, Site::AttnOut, Site::MlpOut};
    const Looking looking = session().looking();
    if (!m_choice.cell || !isByPosition(m_choice.site))
        return;
    Changes changes = looking.changes;
    changes.text = corruptedText(looking, m_choice);
    const TraceKey key{kSites[static_cast<int>(m_choice.site)], m_choice.cell->row, Stack::Blocks};
    changes.patches = {{key, m_choice.cell->column, m_choice.cell->column}};
    session().setChanges(changes, tr("patch"));
    emit pageWanted(QStringLiteral("compare"));
}

bool CausalPage::escape()
{
    if (m_worker.isRunning()) {
        m_worker.cancel();
        return true;
    }
    if (!m_choice.cell || m_choice.section != CausalSection::Patch)
        return false;
    m_choice.cell.reset();
    refreshAll();
    return true;
}

void CausalPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || !escape())
        Page::keyPressEvent(event);
}

// -------------------------------------------------------------------------------------- computing

QByteArray CausalPage::keyNow() const
{
    const Looking looking = session().looking();
    if (session().text().isEmpty() || !causalProblem(looking, m_choice).isEmpty())
        return {};
    return keyOf(causalJob(looking, m_choice, m_choice.section));
}

bool CausalPage::holds(const QByteArray& key, double before) const
{
    const Looking looking = session().looking();
    return !key.isEmpty() && key == keyNow() &&
           belongsTo(looking, metricFor(looking, m_choice), before);
}

const AblationSweep* CausalPage::sweep() const
{
    const bool holdsNow = m_choice.section == CausalSection::Heads && m_results.sweep &&
                          holds(m_results.sweep->key, m_results.sweep->sweep.before);
    return holdsNow ? &m_results.sweep->sweep : nullptr;
}

const PatchGrid* CausalPage::grid() const
{
    const bool holdsNow = m_choice.section == CausalSection::Patch && m_results.grid &&
                          holds(m_results.grid->key, m_results.grid->grid.clean);
    return holdsNow ? &m_results.grid->grid : nullptr;
}

const FactPath* CausalPage::path() const
{
    const bool holdsNow = m_choice.section == CausalSection::Path && m_results.path &&
                          holds(m_results.path->key, m_results.path->path.clean);
    return holdsNow ? &m_results.path->path : nullptr;
}

void CausalPage::start()
{
    const QByteArray key = keyNow();
    if (key.isEmpty() || key == m_wanted || sweep() || grid() || path())
        return;
    m_wanted = m_tried = key;
    m_failure.clear();
    m_share = 0.0;
    m_worker.run(causalJob(session().looking(), m_choice, m_choice.section));
    refreshAll();
}

/// So many plain passes in about a second.
bool CausalPage::isQuick(const Looking& looking) const
{
    if (!looking.a || !looking.modelA.model)
        return false;
    constexpr double kAtOnceMs = 1500.0;
    const ModelConfig& config = looking.modelA.model->config();
    const auto tokens = static_cast<double>(looking.a->tokens().size());
    const auto layers = static_cast<double>(config.layers);
    const auto heads = static_cast<double>(config.heads);
    const double passes = m_choice.section == CausalSection::Heads ? layers * heads
                          : m_choice.section == CausalSection::Patch
                              ? layers * std::max(tokens, heads)
                              : layers * (3 * tokens + heads);
    const double perToken = looking.a->info().forwardMs /
                            std::max(1.0, static_cast<double>(looking.a->info().newTokens));
    return passes * perToken * tokens < 2.0 * kAtOnceMs;
}

void CausalPage::startIfQuick()
{
    const QByteArray key = keyNow();
    if (isVisible() && !key.isEmpty() && key != m_tried && !session().isComputing() &&
        isQuick(session().looking()))
        start();
}

void CausalPage::adopt(const CausalResult& result)
{
    const QByteArray key = std::exchange(m_wanted, {});
    if (const auto* sweep = std::get_if<AblationSweep>(&result))
        m_results.sweep = {key, *sweep};
    if (const auto* grid = std::get_if<PatchGrid>(&result))
        m_results.grid = {key, *grid};
    if (const auto* path = std::get_if<FactPath>(&result))
        m_results.path = {key, *path};
    refreshAll();
}

// ------------------------------------------------------------------------------------------- page

Figure CausalPage::figure() const
{
    return causalFigure(session().looking(), options());
}

void CausalPage::focusMain()
{
    if (m_choice.section == CausalSection::Heads)
        m_table->setFocus(Qt::OtherFocusReason);
    else
        m_map->setFocus(Qt::OtherFocusReason);
}

bool CausalPage::isSettled() const
{
    return !m_worker.isRunning();
}

QJsonObject CausalPage::options() const
{
    QJsonObject json = m_choice.toJson();
    json.insert(QStringLiteral("results"), m_results.toJson());
    return json;
}

void CausalPage::setOptions(const QJsonObject& options)
{
    m_choice = CausalChoice::fromJson(options);
    m_results = CausalResults::fromJson(options.value(QLatin1String("results")).toObject());
    m_failure.clear();
    m_tried.clear();
    refresh({});
}

QString CausalPage::hint() const
{
    return m_choice.section == CausalSection::Heads
               ? tr("Arrows choose a head \u00B7 Enter opens it \u00B7 Esc stops")
               : tr("Arrows choose a cell \u00B7 Esc stops, then frees");
}

MaybeNumber CausalPage::numberAt(std::optional<QPoint>) const
{
    return std::nullopt;
}

QString CausalPage::noNumberWords() const
{
    return tr("An effect compares two whole runs: one as trained, one with a part replaced. It has "
              "no derivation of its own.");
}

QString CausalPage::words() const
{
    return m_words->text();
}

void CausalPage::refresh(ChangeSet changes)
{
    if (changes & Change::Model)
        m_worker.cancel();
    if (m_worker.isRunning() && keyNow() != m_wanted)
        m_worker.cancel(); // its answer is to another question now
    if (session().traceA() != m_scoring) {
        m_scoring = session().traceA();
        m_scores.clear();
        m_scorer.scoreTrace(m_scoring);
    }
    if (keyNow() != m_tried)
        m_failure.clear(); // it was about another question
    refreshAll();
    startIfQuick();
}

} // namespace headscope::ui
