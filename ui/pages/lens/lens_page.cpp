#include "ui/pages/lens/lens_page.h"

#include "ui/session/samples.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/controls/segments.h"

#include <QCheckBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>

#include <algorithm>

namespace headscope::ui {

void LensPage::connectWidgets()
{
    connect(m_run, &SegmentBar::currentChanged, this,
            [this](int index) { session().setShownRun(static_cast<Run>(index)); });
    connect(m_lens, &SegmentBar::currentChanged, this, [this](int index) {
        m_choice.tuned = index == 1;
        measure();
        refreshAll();
    });
    connect(m_measure, &SegmentBar::currentChanged, this, [this](int index) {
        m_choice.measure = static_cast<LensMeasure>(index);
        refreshAll();
    });
    connect(m_halfSteps, &QCheckBox::toggled, this, [this](bool on) {
        m_choice.halfSteps = on;
        m_choice.stage = -1;
        measure();
        refreshAll();
    });
    connect(m_grid, &LensGrid::cellActivated, this, &LensPage::activate);
    connect(&m_meter, &LensMeter::measured, this, [this] {
        if (m_meter.subject() == m_askedJob)
            m_shown = m_asked;
        refreshAll();
    });
    connect(&m_meter, &LensMeter::advanced, this, &LensPage::refreshTarget);
    connectTarget();
    connectTrainer();
}

void LensPage::connectTarget()
{
    connect(m_target, &SegmentBar::currentChanged, this, [this](int index) {
        m_typedNote.clear();
        chooseTarget({static_cast<LensTarget::Kind>(index), m_choice.target.id});
        if (m_choice.target.kind == LensTarget::Kind::Chosen) {
            m_token->setFocus(Qt::OtherFocusReason);
            m_token->selectAll();
        }
    });
    connect(m_token, &QLineEdit::editingFinished, this, &LensPage::chooseTyped);
    connect(m_bars, &BarsWidget::barActivated, this, [this](int index) {
        const StreamLens& lens = picture().lens();
        const HeatmapCell cell = current();
        if (cell.row < 0 || cell.row >= lens.rows() || index >= lens.top)
            return;
        m_typedNote.clear();
        chooseTarget(
            {LensTarget::Kind::Chosen, lens.ids[lens.topAt(cell.row, cell.column, index)]});
    });
}

void LensPage::connectTrainer()
{
    connect(m_steps, &QSpinBox::valueChanged, this, [this](int steps) { m_choice.steps = steps; });
    connect(m_train, &QPushButton::clicked, this, &LensPage::train);
    connect(m_cancel, &QPushButton::clicked, &m_trainer, &LensTrainer::cancel);
    connect(&m_trainer, &LensTrainer::advanced, this, &LensPage::refreshTrainRow);
    connect(&m_trainer, &LensTrainer::failed, this, [this](const QString& sentence) {
        m_trainNote = sentence.isEmpty() ? tr("Cancelled: nothing was kept.") : sentence;
        refreshAll();
    });
    connect(&m_trainer, &LensTrainer::missing, this,
            [this](const std::shared_ptr<const Model>& model, const QString& why) {
                if (model != session().model().model)
                    return;
                m_foundFor = model;
                m_tuned.reset();
                m_trainNote = why;
                refreshAll();
            });
    connect(&m_trainer, &LensTrainer::found, this,
            [this](const std::shared_ptr<const Model>& model, const TunedLensPtr& lens,
                   const QString& path, bool kept) {
                if (model != session().model().model) {
                    m_trainNote =
                        kept ? tr("Saved to %1, for the model of before.").arg(path) : QString();
                    refreshTrainRow();
                    return;
                }
                m_foundFor = model;
                m_tuned = lens;
                m_tunedPath = path.toStdString();
                m_keptNow = kept;
                m_trainNote.clear();
                measure();
                refreshAll();
            });
}

// ---------------------------------------------------------------------------- what a person means

void LensPage::activate(HeatmapCell cell)
{
    m_choice.stage = cell.column;
    const StreamLens& lens = picture().lens();
    if (cell.row < lens.rows())
        session().selectPair(lens.positions[static_cast<std::size_t>(cell.row)], -1);
    m_shown.selection = session().selection();
    showCurrent();
    refreshSide();
}

void LensPage::chooseTarget(LensTarget target)
{
    m_choice.target = target;
    measure();
    refreshAll();
}

/// The first token of what was typed; "#12" is an id.
void LensPage::chooseTyped()
{
    const LoadedModel& model = session().model();
    const QString typed = m_token->text();
    if (typed.isEmpty() || !model.tokenizer || !model.model || !m_token->isModified())
        return;
    m_token->setModified(false);
    m_typedNote.clear();
    bool isNumber = false;
    const int id = typed.startsWith(QLatin1Char('#')) ? typed.mid(1).toInt(&isNumber) : 0;
    if (isNumber && id >= 0 && id < model.model->config().vocabularySize) {
        chooseTarget({LensTarget::Kind::Chosen, id});
        return;
    }
    const TokenSequence tokens = model.tokenizer->encode(typed.toStdString(), false);
    if (tokens.size() == 0 || isNumber) {
        m_typedNote = tr("\u201C%1\u201D is no token of this model.").arg(typed);
        refreshTarget();
        return;
    }
    if (tokens.size() > 1)
        m_typedNote = tr("\u201C%1\u201D is %2 tokens: the first one is followed.")
                          .arg(typed)
                          .arg(tokens.size());
    chooseTarget({LensTarget::Kind::Chosen, tokens.tokens.front().id});
}

/// On the text above, the sentence to begin with, and what the model itself writes.
void LensPage::train()
{
    const LoadedModel& model = session().model();
    if (!model.model || m_trainer.isTraining())
        return;
    std::vector<SourceAndTarget> texts;
    if (const TracePtr& trace = session().traceA(); trace && trace->info().model == model.name)
        texts.push_back({trace->sourceTokens(), trace->tokens()});
    if (model.tokenizer) {
        const QString sample = sampleSentence(QString::fromStdString(model.name));
        TokenSequence tokens = model.tokenizer->encode(sample.toStdString());
        if (model.model->config().architecture == Architecture::EncoderDecoder)
            texts.push_back({std::move(tokens), {}});
        else
            texts.push_back({{}, std::move(tokens)});
    }
    TunedLensSettings settings = tunedLensSettings(*model.model);
    settings.steps = m_choice.steps;
    m_trainNote.clear();
    m_keptNow = false;
    m_trainer.train(model, texts, settings);
    refreshTrainRow();
    m_cancel->setFocus(Qt::OtherFocusReason);
}

bool LensPage::escape()
{
    if (m_trainer.isTraining()) {
        m_trainer.cancel();
        return true;
    }
    if (!m_meter.isMeasuring())
        return false;
    m_meter.cancel();
    return true;
}

void LensPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || !escape())
        Page::keyPressEvent(event);
}

// ------------------------------------------------------------------------------------- following

void LensPage::followModel()
{
    const auto& model = session().model().model;
    if (model == m_lookedFor || !model)
        return;
    m_lookedFor = model;
    m_tuned.reset();
    m_foundFor.reset();
    m_keptNow = false;
    m_trainNote.clear();
    if (model->config().languageHead)
        m_trainer.find(session().model());
}

void LensPage::measure()
{
    const Looking looking = session().looking();
    const bool waitsForB = looking.a && !looking.b && !looking.changes.empty();
    if (waitsForB) // the last picture stays until B is there
        return;
    LensJob job = lensJob(looking, m_choice, m_tuned);
    if (m_choice.tuned && !m_tuned)
        job.a = job.b = nullptr; // nothing to look through yet
    m_asked = looking;
    m_askedJob = job;
    m_meter.measure(job);
}

void LensPage::refresh(ChangeSet)
{
    followModel();
    measure();
    refreshAll();
}

HeatmapCell LensPage::current() const
{
    const StreamLens& lens = picture().lens();
    const int stages = lens.stageCount();
    const int stage = m_choice.stage < 0 ? stages - 1 : std::min(m_choice.stage, stages - 1);
    return {m_shown.trace() ? pairOf(m_shown).query : -1, stage};
}

// ------------------------------------------------------------------------------------------- page

Figure LensPage::figure() const
{
    return lensFigure(picture());
}

void LensPage::focusMain()
{
    m_grid->setFocus(Qt::OtherFocusReason);
}

bool LensPage::isSettled() const
{
    return !m_meter.isMeasuring() && !m_trainer.isBusy();
}

QJsonObject LensPage::options() const
{
    return m_choice.toJson();
}

void LensPage::setOptions(const QJsonObject& options)
{
    m_choice = LensChoice::fromJson(options);
    refresh({});
}

QString LensPage::hint() const
{
    return tr("Arrows go from cell to cell \u00B7 click a bar to follow its token \u00B7 "
              "Ctrl+click: a probability's origin");
}

MaybeNumber LensPage::numberAt(std::optional<QPoint> place) const
{
    m_whyNoNumber.clear();
    const auto inside = within(*m_grid, place);
    const auto cell =
        place ? (inside ? m_grid->cellAt(*inside) : std::nullopt) : m_grid->content().current;
    return cell ? lensCellNumber(picture(), *cell, &m_whyNoNumber) : std::nullopt;
}

QString LensPage::noNumberWords() const
{
    return m_whyNoNumber.isEmpty() ? tr("Choose a cell of the grid first.") : m_whyNoNumber;
}

} // namespace headscope::ui
