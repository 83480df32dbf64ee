#include "ui/window/dialogs/report_dialog.h"

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "ui/session/session.h"
#include "ui/widgets/labels.h"
#include "ui/workers/error_sentence.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QProgressBar>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kSteps = 1000;
constexpr double kMade = 0.9; ///< Fraction of the progress bar before pages are laid out.

std::string quoted(const std::string& word)
{
    std::string text = "'";
    for (const char letter : word)
        text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return text + "'";
}

std::string commandFor(const Session& session, const Trace& trace)
{
    std::string command = "headscope inspect --model " + quoted(session.model().name);
    const bool twoTexts = !trace.sourceTokens().tokens.empty();
    command += " --text " + quoted(twoTexts ? trace.sourceTokens().text : trace.tokens().text);
    if (twoTexts)
        command += " --decoder-text " + quoted(trace.tokens().text);
    if (session.computation().device() != QLatin1String("auto"))
        command += " --device " + session.computation().device().toStdString();
    return command + " --report report.pdf --report report.json";
}

} // namespace

ReportRequest reportRequest(const Session& session)
{
    const TracePtr& trace = session.traceA();
    if (!trace)
        throw Error("nothing to report yet", "report", "Open a model and type a text");
    ReportRequest request;
    request.program = (QStringLiteral("headscope ") + QCoreApplication::applicationVersion())
                          .trimmed()
                          .toStdString();
    if (session.isCaptured() || !session.model().model) {
        request.model = {trace->info().model, nullptr, session.model().tokenizer};
        request.captured = trace;
        request.command = "headscope inspect --trace FILE --report report.pdf --report report.json";
        return request;
    }
    request.model = session.model();
    if (session.models().audit())
        request.audit = *session.models().audit();
    request.tokens = trace->tokens();
    request.source = trace->sourceTokens();
    request.command = commandFor(session, *trace);
    return request;
}

ReportDialog::ReportDialog(ReportRequest request, BackendFactory backends, const QString& folder,
                           QWidget* parent)
    : SaveDialog(tr("Report on this model and text"),
                 tr("Contains architecture, load audit, scores and labels of all heads with their "
                    "evidence, the logit lens, direct logit attribution, ablation effects, and the "
                    "command that reproduces the report."),
                 {{tr("PDF"), tr("Printable pages with searchable text"), ".pdf"},
                  {tr("JSON"), tr("All numbers at full precision, for programs"), ".json"}},
                 parent)
    , m_request(std::move(request))
    , m_backends(std::move(backends))
{
    setObjectName("report");
    setWindowTitle(tr("Write a report"));
    m_ablation = new QCheckBox(tr("Ablate each head in turn"));
    m_ablation->setChecked(m_request.model.model != nullptr);
    m_ablation->setToolTip(tr("Compares each head\u2019s scores with its causal effect. The "
                              "slowest part"));
    addRow(tr("Causal test"), m_ablation);
    addFile(folder, QStringLiteral("report"), tr("Write a report as PDF or JSON"),
            tr("Reports (*.pdf *.json)"));
    m_bar = new QProgressBar;
    m_bar->setRange(0, kSteps);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress of the report"));
    m_part = new TextLabel({}, TextRole::Caption, TextLabel::Tone::Text2);
    addEnd({m_bar, m_part}, tr("Create"));
    setWriting(false);
    connect(&m_worker, &ReportWorker::progressed, this, &ReportDialog::showProgress);
    connect(&m_worker, &ReportWorker::made, this, &ReportDialog::set);
    connect(&m_worker, &ReportWorker::failed, this, &ReportDialog::stop);
    connect(&m_pages, &QTimer::timeout, this, &ReportDialog::setPage);
}

void ReportDialog::setWriting(bool writing)
{
    m_writing = writing;
    setFieldsEnabled(!writing);
    m_ablation->setEnabled(!writing && m_request.model.model != nullptr);
    m_bar->setVisible(writing);
    m_part->setVisible(writing);
}

void ReportDialog::save()
{
    if (m_writing)
        return;
    setProblem({});
    try {
        reportFormat(path().toStdString());
    } catch (const std::exception& error) {
        return stop(errorSentence(error));
    }
    if (!isReplaceable())
        return;
    m_request.parts.ablation = m_request.parts.probeAblation = m_ablation->isChecked();
    setWriting(true);
    showProgress(tr("Preparing"), 0.0);
    m_worker.start(m_request, m_backends);
}

void ReportDialog::showProgress(const QString& part, double fraction)
{
    m_part->setText(part);
    m_bar->setValue(static_cast<int>(fraction * kMade * kSteps));
}

/// Lays out one page per event, so that the window stays responsive.
void ReportDialog::set(const ModelReportPtr& report)
{
    m_report = report;
    try {
        if (reportFormat(path().toStdString()) == ReportFormat::Json) {
            saveReport(*report, path().toStdString());
            emit saved(path());
            setWriting(false);
            accept();
            return;
        }
        m_pdf = std::make_unique<ReportPdf>(*report);
        m_pages.start(0);
    } catch (const std::exception& error) {
        stop(errorSentence(error));
    }
}

void ReportDialog::setPage()
{
    const bool more = m_pdf->addPage();
    m_part->setText(tr("Page %1 of %2").arg(m_pdf->done()).arg(m_pdf->pages()));
    m_bar->setValue(static_cast<int>(
        (kMade + (1.0 - kMade) * m_pdf->done() / std::max(m_pdf->pages(), 1)) * kSteps));
    if (!more)
        finish(m_pdf->take());
}

void ReportDialog::finish(const QByteArray& bytes)
{
    m_pages.stop();
    try {
        writeAtomically(
            path().toStdString(),
            std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    } catch (const std::exception& error) {
        return stop(errorSentence(error));
    }
    emit saved(path());
    setWriting(false);
    accept();
}

/// Stops the report. An empty sentence means that it was cancelled.
void ReportDialog::stop(const QString& sentence)
{
    m_pages.stop();
    m_pdf.reset();
    m_report.reset();
    setProblem(sentence);
    setWriting(false);
}

void ReportDialog::reject()
{
    if (!m_writing) {
        QDialog::reject(); // close() would call this again and not close
        return;
    }
    if (m_worker.isRunning())
        m_worker.cancel();
    else
        stop({});
}

} // namespace headscope::ui
