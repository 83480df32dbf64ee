// How the lens page is laid out, and what stands where.
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/lens/lens_page.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/controls/segments.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr int kSideWidth = 280;
constexpr int kLeastChart = 148;
constexpr int kMostChart = 180;
constexpr int kLow = 540;           ///< a page with less height names fewer tokens
constexpr double kLeastCell = 40.0; ///< narrower ones scroll
constexpr double kLeastLabels = 108.0;

} // namespace

LensPage::LensPage(Session& session, QWidget* parent)
    : Page(session, parent)
    , m_run(new SegmentBar(this))
    , m_lens(new SegmentBar(this))
    , m_measure(new SegmentBar(this))
    , m_halfSteps(new QCheckBox(tr("Between attention and MLP too"), this))
    , m_target(new SegmentBar(this))
    , m_token(new QLineEdit(this))
    , m_note(new TextLabel({}, TextRole::Body, Tone::Text2, this))
    , m_trainRow(nullptr)
    , m_steps(new QSpinBox(this))
    , m_train(new QPushButton(tr("Train"), this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
    , m_bar(new QProgressBar(this))
    , m_state(new TextLabel({}, TextRole::Body, Tone::Text2, this))
    , m_scroll(new QScrollArea(this))
    , m_grid(new LensGrid)
{
    setProperty("role", "page");
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 12, 24, 12);
    column->setSpacing(8);
    column->addLayout(makeTopRow());
    m_trainRow = makeTrainRow();
    column->addWidget(m_trainRow);
    column->addLayout(makeMeasureRow());
    column->addLayout(makeTargetRow());
    auto* body = new QHBoxLayout;
    body->setSpacing(24);
    m_scroll->setProperty("role", "page");
    m_scroll->setWidget(m_grid);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_grid->setAccessibleName(tr("Predictions: tokens down, stages across"));
    m_grid->setProperty("role", "page");
    m_grid->setAttribute(Qt::WA_StyledBackground);
    body->addWidget(m_scroll, 1);
    body->addWidget(makeSide());
    column->addLayout(body, 1);
    column->addLayout(makeCharts());
    m_empty = new EmptyState(m_scroll);
    connectWidgets();
    refreshAll();
}

QLayout* LensPage::makeTopRow()
{
    m_run->setSegments({{tr("A"), tr("As trained")},
                        {tr("B"), tr("With your changes")},
                        {tr("B\u2212A"), tr("What your changes move")}});
    m_run->setAccessibleName(tr("Run"));
    m_lens->setSegments(
        {{tr("Logit lens"), tr("Each stage as if it were the last: final norm and unembedding")},
         {tr("Tuned lens"), tr("The same after a map that was trained for each stage to predict "
                               "what the model predicts in the end")}});
    m_lens->setAccessibleName(tr("Lens"));
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(heading(tr("What each layer would predict"), this));
    row->addStretch(1);
    row->addWidget(m_run);
    row->addWidget(m_lens);
    return row;
}

QLayout* LensPage::makeMeasureRow()
{
    std::vector<Segment> segments;
    for (int measure = 0; measure < kLensMeasures; ++measure)
        segments.push_back({measureTitle(static_cast<LensMeasure>(measure)),
                            measureMeaning(static_cast<LensMeasure>(measure))});
    m_measure->setSegments(segments);
    m_measure->setAccessibleName(tr("What cells show"));
    auto* row = new QHBoxLayout;
    row->setSpacing(16);
    row->addWidget(m_measure);
    row->addWidget(m_halfSteps);
    row->addStretch(1);
    return row;
}

QLayout* LensPage::makeTargetRow()
{
    m_target->setSegments({{tr("What follows"),
                            tr("The token that the text goes on with, and after the last one what "
                               "the model predicts; of an encoder the token itself")},
                           {tr("Model's answer"), tr("The token that the model itself finds most "
                                                     "probable in the end")},
                           {tr("One token"), tr("The same token at every position")}});
    m_target->setAccessibleName(tr("Target"));
    m_token->setAccessibleName(tr("Target token"));
    m_token->setPlaceholderText(tr("a token, or #id"));
    m_token->setFixedWidth(128);
    m_note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(new TextLabel(tr("Target"), TextRole::Body, Tone::Text2, this));
    row->addWidget(m_target);
    row->addWidget(m_token);
    row->addWidget(m_note, 1);
    return row;
}

QWidget* LensPage::makeTrainRow()
{
    auto* holder = new QWidget(this);
    m_steps->setRange(1, 100'000);
    m_steps->setSingleStep(50);
    m_steps->setSuffix(tr(" steps"));
    m_steps->setAccessibleName(tr("Steps of training"));
    m_train->setToolTip(tr("On your text, the sample sentence and text that the model writes"));
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(160);
    m_bar->setAccessibleName(tr("Training of the lens"));
    m_state->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_state->setWordWrap(true);
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* row = new QHBoxLayout(holder);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    row->addWidget(m_steps);
    row->addWidget(m_train);
    row->addWidget(m_bar);
    row->addWidget(m_cancel);
    row->addWidget(m_state, 1);
    return holder;
}

QWidget* LensPage::makeSide()
{
    auto* side = new QWidget(this);
    side->setFixedWidth(kSideWidth);
    m_title = heading({}, side);
    m_title->setWordWrap(true);
    m_bars = new BarsWidget(side);
    m_bars->setAccessibleName(tr("Most probable tokens of the cell"));
    m_bars->setOptions({1.0, 3, 96.0, {}, 20.0});
    m_numbers = new TextLabel({}, TextRole::Body, Tone::Text2, side);
    m_numbers->setWordWrap(true);
    m_legend = new ColourBar(side);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_title);
    column->addWidget(m_bars);
    column->addWidget(m_numbers);
    column->addStretch(1);
    column->addWidget(m_legend);
    return side;
}

QLayout* LensPage::makeCharts()
{
    const QString names[] = {tr("Probability of the target through the layers"),
                             tr("Rank of the target through the layers"),
                             tr("Entropy and KL through the layers")};
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    for (std::size_t i = 0; i < std::size(m_charts); ++i) {
        m_charts[i] = new LineChart(names[i], this);
        m_charts[i]->setFixedHeight(kLeastChart);
        row->addWidget(m_charts[i], 1);
        connect(m_charts[i], &LineChart::cursorMoved, this, [this, i](std::optional<double> x) {
            for (std::size_t other = 0; other < std::size(m_charts); ++other)
                if (other != i)
                    m_charts[other]->setCursorAt(x);
        });
    }
    return row;
}

// ---------------------------------------------------------------------------------------- contents

void LensPage::refreshAll()
{
    if (!m_meter.isMeasuring())
        m_shown.shown = m_shown.b ? session().shownRun() : Run::A;
    m_shown.selection = session().selection();
    m_shown.colourMap = session().colourMap();
    refreshControls();
    const bool empty = !whyEmpty().isEmpty() || session().text().isEmpty();
    LensContent content = empty ? LensContent() : lensGridContent(picture());
    if (content.rows() > 0)
        content.current = current();
    const double scale = Theme::of(*this).scale();
    m_grid->setMinimumWidth(qRound(scale * (kLeastLabels + kLeastCell * content.columns())));
    m_grid->setContent(std::move(content));
    refreshSide();
    refreshTarget();
    refreshTrainRow();
    refreshEmptyState();
    if (m_grid->content().current && m_grid->content().current->row != m_visibleRow)
        QMetaObject::invokeMethod(this, &LensPage::showCurrent, Qt::QueuedConnection);
}

/// After the layout has followed the content.
void LensPage::showCurrent()
{
    const auto cell = m_grid->content().current;
    if (!cell || !m_grid->content().holds(*cell))
        return;
    m_visibleRow = cell->row;
    const QPoint centre = m_grid->cellRect(*cell).center().toPoint();
    const QSize half = m_grid->cellRect(*cell).size().toSize();
    m_scroll->ensureVisible(centre.x(), centre.y(), 2 * half.width(), 2 * half.height());
}

void LensPage::refreshControls()
{
    m_run->setVisible(!session().changes().empty());
    m_run->setCurrent(static_cast<int>(session().shownRun()));
    const QString why = m_meter.isMeasuring() ? QString() : noDifferenceWords(reading());
    m_run->setSegmentEnabled(2, why.isEmpty(), why.isEmpty() ? tr("What your changes move") : why);
    m_lens->setCurrent(m_choice.tuned ? 1 : 0);
    m_measure->setCurrent(static_cast<int>(m_choice.measure));
    const QSignalBlocker blocked(m_halfSteps);
    m_halfSteps->setChecked(m_choice.halfSteps);
    const auto& model = session().model().model;
    const bool hasHalfSteps = !model || lensStages(model->config(), true).size() !=
                                            lensStages(model->config(), false).size();
    m_halfSteps->setEnabled(hasHalfSteps);
    m_halfSteps->setToolTip(hasHalfSteps
                                ? tr("A column more for each layer: the stream after its attention")
                                : tr("This model's layers are attention alone: nothing stands "
                                     "between"));
    m_steps->setValue(m_choice.steps);
}

void LensPage::refreshTarget()
{
    m_target->setCurrent(static_cast<int>(m_choice.target.kind));
    const bool chosen = m_choice.target.kind == LensTarget::Kind::Chosen;
    const LoadedModel& model = session().model();
    m_token->setEnabled(model.model != nullptr);
    if (chosen && model.tokenizer && !m_token->hasFocus())
        m_token->setText(lensLabel(m_choice.target.id, model));
    QString words = m_typedNote;
    if (m_meter.isMeasuring())
        words = tr("reading the stages, %1 %").arg(std::lround(100.0 * m_meter.fraction()));
    else if (words.isEmpty() && m_choice.target.kind == LensTarget::Kind::Following &&
             model.model && model.model->config().hasDecoder())
        words = tr("after the last token: the model's answer");
    else if (words.isEmpty() && chosen && model.model &&
             m_choice.target.id >= model.model->config().vocabularySize)
        words = tr("not defined: this model has no token %1").arg(m_choice.target.id);
    if (m_shown.shown == Run::Difference && !picture().isDifference())
        words = tr("%1: B alone is shown").arg(noDifferenceWords(reading()));
    m_note->setText(words);
}

QString LensPage::note() const
{
    return m_note->text();
}

void LensPage::refreshTrainRow()
{
    const bool training = m_trainer.isTraining();
    const LoadedModel& model = session().model();
    const bool canTrain = model.model && model.model->config().languageHead;
    m_trainRow->setVisible(canTrain && (m_choice.tuned || training));
    m_steps->setVisible(!training);
    m_train->setVisible(!training);
    m_train->setText(m_tuned ? tr("Train again") : tr("Train"));
    m_bar->setVisible(training);
    m_cancel->setVisible(training);
    const LensProgress& progress = m_trainer.progress();
    m_bar->setRange(0, progress.all > 0 ? 1000 : 0);
    m_bar->setValue(static_cast<int>(1000.0 * progress.fraction()));
    m_state->setText(trainingState());
    m_state->setToolTip(m_state->text());
}

QString LensPage::trainingState() const
{
    const LensProgress& progress = m_trainer.progress();
    switch (progress.phase) {
    case LensProgress::Phase::Writing:
        return tr("the model writes text: %1 of %2 tokens")
            .arg(count(progress.done), count(progress.all));
    case LensProgress::Phase::Reading:
        return tr("reading the texts");
    case LensProgress::Phase::Steps:
        return tr("step %1 of %2, mean KL %3 nats")
            .arg(count(progress.done), count(progress.all), number(progress.divergence, 3));
    default:
        break;
    }
    if (!m_trainNote.isEmpty())
        return m_trainNote;
    if (!m_tuned)
        return modelIsFound() ? tr("This model has no tuned lens yet.") : QString();
    double before = 0.0;
    double after = 0.0;
    for (std::size_t stage = 0; stage < m_tuned->before.size(); ++stage) {
        before += m_tuned->before[stage] / static_cast<double>(m_tuned->before.size());
        after += m_tuned->after[stage] / static_cast<double>(m_tuned->before.size());
    }
    const QString path = QString::fromStdString(m_tunedPath);
    return (m_keptNow ? tr("KL on held-out text %1 \u2192 %2 nats after %3 steps; saved to %4")
                      : tr("KL on held-out text %1 \u2192 %2 nats after %3 steps; from %4"))
        .arg(number(before, 3), number(after, 3), count(m_tuned->steps), path);
}

void LensPage::refreshSide()
{
    const LensPicture shown = picture();
    const HeatmapCell cell = current();
    const bool any = m_grid->content().holds(cell);
    for (QWidget* part : {static_cast<QWidget*>(m_title), static_cast<QWidget*>(m_bars),
                          static_cast<QWidget*>(m_numbers), static_cast<QWidget*>(m_legend)})
        part->setVisible(any);
    for (LineChart* chart : m_charts)
        chart->setVisible(any);
    if (!any)
        return;
    m_title->setText(
        tr("\u201C%1\u201D %2")
            .arg(m_grid->content().rowLabels[cell.row],
                 stageName(shown.lens().stages[static_cast<std::size_t>(cell.column)])));
    std::vector<Bar> bars = lensBars(shown, cell);
    bars.resize(std::min<std::size_t>(bars.size(), height() < kLow ? 3 : 5));
    m_bars->setBars(std::move(bars));
    m_numbers->setText(cellWords(shown, cell));
    m_legend->setContent(lensLegend(shown));
    m_charts[0]->setContent(probabilityChart(shown, cell.row));
    m_charts[1]->setContent(rankChart(shown, cell.row));
    m_charts[2]->setContent(entropyChart(shown, cell.row));
}

/// Charts grow with the page; a low one keeps its rows for the grid.
void LensPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    for (LineChart* chart : m_charts)
        chart->setFixedHeight(std::clamp(height() / 4, kLeastChart, kMostChart));
    refreshSide();
}

/// Nothing to draw, and why.
QString LensPage::whyEmpty() const
{
    const auto& model = session().model().model;
    if (session().isCaptured())
        return tr("A captured trace has no head to read its stream with: open its model to see "
                  "what each layer would predict.");
    if (model && !model->config().languageHead)
        return tr("This model predicts no tokens: it has no language head to look through.");
    if (model && lensStages(model->config()).empty())
        return tr("This model has no layers to look at.");
    if (m_choice.tuned && !m_tuned && modelIsFound() && !m_trainer.isTraining())
        return tr("Train the tuned lens above, or take the logit lens.");
    if (m_meter.isMeasuring())
        return {};
    if (m_shown.shown != Run::A && reading().a.rows() > 0 && reading().b.rows() == 0)
        return tr("The tuned lens was trained for A's model: look at B's through the logit lens.");
    return QString::fromStdString(reading().problem);
}

void LensPage::refreshEmptyState()
{
    const bool noModel = session().isBlank();
    const bool noText = session().text().isEmpty() && !session().isCaptured();
    const QString why = whyEmpty();
    m_empty->setVisible(noModel || noText || !why.isEmpty());
    m_empty->raise();
    if (noModel)
        m_empty->setTexts(tr("No model is open"),
                          tr("Open a checkpoint, or take a built-in model from the Model menu."),
                          {});
    else if (noText && why.isEmpty())
        m_empty->askForText(session(),
                            tr("Type a sentence above: what each layer would predict appears "
                               "here."));
    else
        m_empty->setTexts(tr("There is nothing to look through"), why, {});
}

} // namespace headscope::ui
