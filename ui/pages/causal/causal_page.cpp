#include "ui/pages/causal/causal_page.h"

#include "ui/pages/causal/causal_cards.h"
#include "ui/pages/causal/causal_controls.h"
#include "ui/pages/causal/causal_figure.h"
#include "ui/pages/causal/causal_names.h"
#include "ui/pages/causal/restored_panel.h"
#include "ui/pages/causal/sweep_panel.h"
#include "ui/pages/shared/figures/overview_figure.h"
#include "ui/pages/shared/page_frame.h"
#include "ui/widgets/heads/head_grid_widget.h"
#include "ui/widgets/labels.h"

#include <QKeyEvent>
#include <QStackedWidget>

namespace headscope::ui {

CausalPage::CausalPage(Session& session)
    : Page(session)
    , m_measurement(session, this)
    , m_controls(new CausalControls(session, m_measurement, this))
    , m_stack(new QStackedWidget(this))
    , m_sweep(new SweepPanel(session, m_measurement, this))
    , m_restored(new RestoredPanel(session, m_measurement, this))
    , m_cards(new CausalCards(session, m_measurement, this))
{
    auto* blank = new QWidget(this);
    m_empty = new EmptyState(blank);
    for (QWidget* shown : {static_cast<QWidget*>(m_sweep), static_cast<QWidget*>(m_restored), blank,
                           static_cast<QWidget*>(m_cards)})
        m_stack->addWidget(shown);
    auto* caveat =
        caption(tr("This result holds for this prompt and metric. Other heads may compensate "
                   "for an ablated one (self-repair)."),
                this);
    caveat->setWordWrap(true);
    new PageFrame(*this, {m_controls, Placed::gap(8), {m_stack, 1}, caveat});
    connectMeasurement();
    connectPanels();
    m_controls->refresh();
}

void CausalPage::connectMeasurement()
{
    connect(&m_measurement, &CausalMeasurement::changed, this, &CausalPage::refreshAll);
    connect(&m_measurement, &CausalMeasurement::chosen, this, [this] {
        refreshAll();
        startIfQuick();
    });
}

void CausalPage::connectPanels()
{
    connect(m_sweep, &SweepPanel::headActivated, this, &CausalPage::activate);
    connect(m_sweep, &SweepPanel::headOpened, this,
            [this] { emit pageWanted(QStringLiteral("head")); });
    connect(m_restored, &RestoredPanel::headActivated, this, &CausalPage::activate);
    connect(m_restored, &RestoredPanel::cellClickedAgain, this, [this] { escape(); });
    connect(m_restored, &RestoredPanel::changeApplied, this,
            [this] { emit pageWanted(QStringLiteral("compare")); });
}

void CausalPage::activate(GridCell head)
{
    if (session().selection().part == AttentionKind::EncoderSelf)
        session().view().activatePart(AttentionKind::DecoderSelf);
    session().view().activateHead(head.layer, head.head);
}

void CausalPage::startIfQuick()
{
    if (isVisible())
        m_measurement.startIfQuick();
}

bool CausalPage::escape()
{
    if (m_measurement.isRunning()) {
        m_measurement.cancel();
        return true;
    }
    return m_measurement.freeCell();
}

void CausalPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || !escape())
        Page::keyPressEvent(event);
}

Figure CausalPage::figure() const
{
    return causalFigure(session().viewSnapshot(), options());
}

void CausalPage::focusMain()
{
    if (choice().section == CausalSection::Heads)
        m_sweep->focusTable();
    else
        m_restored->focusMap();
}

bool CausalPage::isSettled() const
{
    return !m_measurement.isRunning();
}

QJsonObject CausalPage::options() const
{
    QJsonObject json = choice().toJson();
    json.insert(QStringLiteral("results"), results().toJson());
    return json;
}

void CausalPage::setOptions(const QJsonObject& options)
{
    const QJsonObject results = options.value(QLatin1String("results")).toObject();
    m_measurement.restore(CausalChoice::fromJson(options), CausalResults::fromJson(results));
    refresh({});
}

QString CausalPage::hint() const
{
    return choice().section == CausalSection::Heads
               ? tr("Arrows select a head \u00B7 Enter opens it \u00B7 Esc stops")
               : tr("Arrows select a cell \u00B7 Esc stops, then clears the selection");
}

MaybeNumber CausalPage::numberAt(std::optional<QPoint>) const
{
    return std::nullopt;
}

QString CausalPage::whyNoNumber() const
{
    return tr("An effect compares two forward passes, one clean and one with a replaced "
              "activation. It has no single origin.");
}

void CausalPage::refresh(ChangeSet changes)
{
    m_measurement.follow(changes.testFlag(Change::Model));
    refreshAll();
    startIfQuick();
}

void CausalPage::refreshAll()
{
    m_controls->refresh();
    m_sweep->refresh();
    m_restored->refresh();
    m_cards->refresh();
    refreshEmptyState();
}

void CausalPage::refreshEmptyState()
{
    m_empty->refresh(session(), tr("Type a sentence above to test the heads on it."),
                     m_measurement.isKnown() ? EmptyText() : whyUnknown());
    const bool heads = choice().section == CausalSection::Heads;
    m_stack->setCurrentIndex(!m_empty->isHidden() ? (offersTests() ? 3 : 2) : (heads ? 0 : 1));
}

/// Before a possible test ran: nothing else has to be said.
bool CausalPage::offersTests() const
{
    return m_measurement.isPossible() && !m_measurement.isRunning() &&
           m_measurement.failure().isEmpty();
}

EmptyText CausalPage::whyUnknown() const
{
    const ViewSnapshot view = session().viewSnapshot();
    const QString problem = causalProblem(view, choice());
    if (!problem.isEmpty())
        return {tr("This test is not available"), problem};
    if (!m_measurement.failure().isEmpty())
        return {tr("The test failed"), m_measurement.failure()};
    if (m_measurement.isRunning())
        return {tr("Measuring"), metricText(view, metricFor(view, choice()))};
    return {tr("No results yet"),
            tr("Run the test: it needs one forward pass for every replaced activation.")};
}

PageDescriptor CausalPage::descriptor()
{
    return {.name = "causal",
            .title = tr("Causal tests"),
            .question = tr("What does this prediction depend on?"),
            .group = PageGroup::Find,
            .icon = "<path d='M5.5 10h5M10.5 10L8.5 8M10.5 10L8.5 12M12 5l5 5-5 5'/><circle "
                    "cx='4' cy='10' r='1.75' fill='@'/><path d='M14.5 14.5l3 3M17.5 14.5l-3 3'/>",
            .help = tr("Measure what a prediction depends on: ablate heads one at a time, patch "
                       "activations between two prompts, and trace where a fact enters."),
            .terms = {"ablation", "activation patching", "induction head"},
            .make = makePage<CausalPage>,
            .figure = causalFigure,
            .whyModel = tr("A captured trace holds a single forward pass, and causal tests need "
                           "more. Open a model.")};
}

} // namespace headscope::ui
