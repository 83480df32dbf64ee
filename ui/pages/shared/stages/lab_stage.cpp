#include "ui/pages/shared/stages/lab_stage.h"

#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/column_scroll.h"
#include "ui/pages/shared/stages/lab_controls.h"
#include "ui/pages/shared/stages/lab_figure.h"
#include "ui/pages/shared/stages/lab_panels.h"
#include "ui/session/session.h"
#include "ui/widgets/labels.h"
#include "ui/workers/error_sentence.h"

#include <QPainter>
#include <QProgressBar>
#include <QPushButton>

#include <cmath>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr int kLateAfterMs = 150;
constexpr int kBarSteps = 1000;

} // namespace

LabStage::LabStage(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_controls(new LabControls(this))
    , m_runRow(nullptr)
    , m_run(new QPushButton(tr("Run"), this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
    , m_bar(new QProgressBar(this))
    , m_state(new TextLabel({}, TextRole::Body, Tone::Text2, this))
    , m_panels(new LabPanels(this))
    , m_sentence(paragraph({}, TextRole::Lesson, Tone::Text, this))
    , m_numbers(new NumberCards(this))
    , m_worker(session.registry(), session.models().opener())
{
    makeLayout();
    connect(m_controls, &LabControls::edited, this, &LabStage::setControl);
    connect(m_controls, &LabControls::textRefused, this, &LabStage::setControl);
    connect(m_run, &QPushButton::clicked, this, &LabStage::run);
    connect(m_cancel, &QPushButton::clicked, this, &LabStage::cancel);
    connect(&m_worker, &LabWorker::answered, this, &LabStage::take);
    connect(&m_worker, &LabWorker::progressed, this, [this](quint64, double done) {
        m_bar->setValue(static_cast<int>(std::lround(done * kBarSteps)));
        m_state->setText(tr("%1 %").arg(number(100.0 * done, 0)));
    });
    m_late.setSingleShot(true);
    m_late.setInterval(kLateAfterMs);
    connect(&m_late, &QTimer::timeout, this, [this] {
        m_isLate = true;
        update();
    });
    followSession();
    refreshRun();
}

LabStage::~LabStage() = default;

void LabStage::makeLayout()
{
    m_runRow = makeRunRow();
    m_sentence->setObjectName("outcome");
    m_sentence->setMinimumWidth(1);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setAccessibleName(tr("Result of the lab"));
    auto* scroll = transparentScroll(m_panels, this);
    columnOf(12, {m_controls, m_runRow, {scroll, 1}, m_sentence, m_numbers}, this);
}

QWidget* LabStage::makeRunRow()
{
    auto* holder = new QWidget(this);
    m_run->setProperty("role", "primary");
    m_run->setMinimumWidth(112);
    m_bar->setRange(0, kBarSteps);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(8);
    m_bar->setMaximumWidth(280);
    m_bar->setAccessibleName(tr("Progress"));
    rowOf(16, {m_run, m_cancel, {m_bar, 1}, m_state, Placed::space()}, holder);
    return holder;
}

void LabStage::followSession()
{
    const auto follow = [this] {
        if (m_lab && m_lab->usesModel)
            request();
    };
    connect(&m_session, &Session::modelChanged, this, follow);
    connect(&m_session, &Session::weightsChanged, this, follow);
    connect(&m_session, &Session::textChanged, this, follow);
}

// ------------------------------------------------------------------------------- what is asked for

void LabStage::setLab(const QString& name)
{
    setLab(labOfCatalogue(name.toStdString()));
}

void LabStage::setLab(const LabPtr& lab)
{
    m_worker.cancel();
    m_lab = lab;
    m_settings.reset();
    m_result.reset();
    m_panels->setPanels({});
    m_panels->highlight({});
    m_sentence->setText({});
    m_numbers->setCards({});
    m_numbers->hide();
    if (lab)
        m_settings.emplace(lab->controls);
    m_controls->setControls(lab ? lab->controls : std::vector<LabControl>{});
    m_controls->setVisible(m_controls->isAnyShown());
    if (lab) {
        m_controls->show(*m_settings);
        request();
    }
    refreshRun();
}

void LabStage::setSettings(const Values& values)
{
    if (!m_settings)
        return;
    LabSettings changed = *m_settings;
    for (const auto& [name, value] : values)
        changed.set(name, value);
    const bool isNew = changed.values() != m_settings->values();
    m_settings = std::move(changed);
    m_controls->show(*m_settings);
    if (isNew)
        request();
}

LabStage::Values LabStage::settings() const
{
    Values values;
    if (m_settings)
        for (const auto& [name, value] : m_settings->values())
            values[name] = value;
    return values;
}

/// Handles a change by the user; an invalid value is reported and changes nothing.
void LabStage::setControl(const QString& name, const QString& value)
{
    try {
        m_settings->set(name.toStdString(), value.toStdString());
    } catch (const std::exception& error) {
        const QString sentence = errorSentence(error);
        showProblem(sentence);
        emit refused(sentence);
        return;
    }
    emit changed();
    request();
}

void LabStage::hideControls(const QStringList& names)
{
    m_controls->hideControls(names);
}

void LabStage::highlight(const QStringList& panelTitles)
{
    m_panels->highlight(panelTitles);
}

void LabStage::setNumbersShown(bool shown)
{
    m_areNumbersShown = shown;
    m_numbers->setVisible(shown && m_result && !m_result->numbers.empty());
}

void LabStage::focusMain()
{
    if (m_controls->isAnyShown())
        m_controls->focusFirst();
    else if (!m_panels->boxes().empty())
        m_panels->boxes().front()->plot()->setFocus(Qt::OtherFocusReason);
    else
        m_run->setFocus(Qt::OtherFocusReason);
}

// --------------------------------------------------------------------------------------- computing

void LabStage::request()
{
    m_isStale = true;
    if (m_lab->isSlow) {
        if (isComputing())
            cancel();
        return refreshRun();
    }
    if (!isVisible()) {
        m_isPending = true;
        return;
    }
    post();
}

void LabStage::run()
{
    if (m_lab)
        post();
}

void LabStage::post()
{
    m_isPending = false;
    m_wanted = m_worker.post({m_lab, *m_settings, m_session.model(), m_session.text().toStdString(),
                              m_session.computation().device().toStdString()});
    m_isStale = true;
    m_late.start();
    m_bar->setValue(0);
    m_state->setText({});
    refreshRun();
}

void LabStage::cancel()
{
    m_worker.cancel();
}

void LabStage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_isPending)
        post();
}

void LabStage::take(const LabAnswer& answer)
{
    m_answered = std::max(m_answered, answer.ticket);
    if (answer.job.lab.get() != m_lab.get())
        return refreshRun();
    const bool isNewest = answer.ticket == m_wanted;
    if (isNewest) {
        m_late.stop();
        m_isLate = false;
        update();
    }
    if (answer.result) {
        m_result = answer.result;
        m_resultOf = answer.job;
        m_isStale = !isNewest || answer.job.settings.values() != m_settings->values();
        showResult();
    }
    refreshRun();
    if (answer.result) {
        emit finished();
    } else if (isNewest && !answer.problem.isEmpty()) {
        showProblem(answer.problem);
        emit failed(answer.problem);
    }
}

void LabStage::showResult()
{
    m_panels->setPanels(m_result->panels);
    m_sentence->setTone(Tone::Text);
    m_sentence->setText(QString::fromStdString(m_result->sentence));
    m_sentence->setAccessibleName(m_sentence->text());
    m_sentence->setVisible(!m_result->sentence.empty());
    m_numbers->setCards(labCards(*m_result));
    setNumbersShown(m_areNumbersShown);
}

/// Replaces the sentence; the figures stay.
void LabStage::showProblem(const QString& sentence)
{
    m_sentence->setTone(Tone::Error);
    m_sentence->setText(QStringLiteral("\u26A0 ") + sentence);
    m_sentence->setAccessibleName(sentence);
    m_sentence->show();
}

void LabStage::refreshRun()
{
    const bool isSlow = m_lab && m_lab->isSlow;
    m_runRow->setVisible(isSlow);
    m_run->setVisible(!isComputing());
    m_cancel->setVisible(isComputing());
    m_bar->setVisible(isComputing());
    if (!isSlow)
        return;
    m_run->setText(m_result ? tr("Run again") : tr("Run"));
    if (isComputing())
        return;
    m_state->setText(!m_result   ? tr("No results yet. Press Run; it takes a moment.")
                     : m_isStale ? tr("The figures show earlier settings. Run again.")
                                 : tr("Measured on this machine."));
}

void LabStage::paintEvent(QPaintEvent*)
{
    if (!m_isLate)
        return;
    QPainter painter(this);
    painter.fillRect(QRectF(0, 0, width(), 2), Theme::of(*this).accent);
}

// ---------------------------------------------------------------------------------------- as
// figure

std::shared_ptr<const LabResult> LabStage::result() const
{
    return m_result;
}

Figure LabStage::figure() const
{
    if (!m_result)
        return {};
    LabState shown;
    shown.result = m_result;
    shown.title = QString::fromStdString(m_resultOf.lab->title);
    shown.settings = settingsText(m_resultOf.settings);
    if (m_resultOf.lab->usesModel)
        shown.sentence = QString::fromStdString(m_resultOf.text);
    shown.frames = m_panels->frames();
    return labFigure(shown);
}

} // namespace headscope::ui
