#include "ui/window/dialogs/report_dialog.h"

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "ui/pages/shared/figures/figure_file.h"
#include "ui/session/session.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"
#include "ui/window/dialogs/proposed_file.h"
#include "ui/window/dialogs/replace_question.h"
#include "ui/workers/error_sentence.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace headscope::ui {

namespace {

const QStringList kEndings{QStringLiteral(".pdf"), QStringLiteral(".json")};
constexpr int kSteps = 1000;
constexpr double kMade = 0.9; ///< Fraction of the progress bar before pages are laid out.

TextLabel* rowName(const QString& text)
{
    return new TextLabel(text, TextRole::Body, TextLabel::Tone::Text2);
}

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
    : GrowingDialog(parent)
    , m_request(std::move(request))
    , m_backends(std::move(backends))
{
    setObjectName("report");
    setWindowTitle(tr("Write a report"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(24);
    form->setVerticalSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 24, 24, 24);
    column->setSpacing(8);
    column->addWidget(new TextLabel(tr("Report on this model and text"), TextRole::Heading));
    auto* words = new TextLabel(
        tr("Contains architecture, load audit, scores and labels of all heads with their "
           "evidence, the logit lens, direct logit attribution, ablation effects, and the "
           "command that reproduces the report."),
        TextRole::Body, TextLabel::Tone::Text2);
    words->setWordWrap(true);
    column->addWidget(words);
    column->addSpacing(8);
    column->addLayout(form);
    addChoices(*form, folder);
    m_bar = new QProgressBar;
    m_bar->setRange(0, kSteps);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress of the report"));
    m_part = new TextLabel({}, TextRole::Caption, TextLabel::Tone::Text2);
    m_problem = new TextLabel({}, TextRole::Body, TextLabel::Tone::Error);
    m_problem->setWordWrap(true);
    m_question = new ReplaceQuestion;
    connect(m_question, &ReplaceQuestion::confirmed, this, &ReportDialog::write);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_bar, m_part, m_problem, m_question})
        column->addWidget(widget);
    addButtons(*column);
    setMinimumWidth(560);
    setWriting(false);
    connect(&m_worker, &ReportWorker::progressed, this, &ReportDialog::showProgress);
    connect(&m_worker, &ReportWorker::made, this, &ReportDialog::set);
    connect(&m_worker, &ReportWorker::failed, this, &ReportDialog::stop);
    connect(&m_pages, &QTimer::timeout, this, &ReportDialog::setPage);
}

void ReportDialog::addChoices(QFormLayout& form, const QString& folder)
{
    m_format = new SegmentBar;
    m_format->setSegments({{tr("PDF"), tr("Printable pages with searchable text")},
                           {tr("JSON"), tr("All numbers at full precision, for programs")}});
    m_format->setCurrent(0);
    m_format->setAccessibleName(tr("Format"));
    connect(m_format, &SegmentBar::currentChanged, this, &ReportDialog::chooseFormat);
    form.addRow(rowName(tr("Format")), m_format);
    m_ablation = new QCheckBox(tr("Ablate each head in turn"));
    m_ablation->setChecked(m_request.model.model != nullptr);
    m_ablation->setEnabled(m_request.model.model != nullptr);
    m_ablation->setToolTip(tr("Compares each head\u2019s scores with its causal effect. The "
                              "slowest part"));
    form.addRow(rowName(tr("Causal test")), m_ablation);
    m_path = new QLineEdit(freshPath(folder, QStringLiteral("report"), kEndings.front()));
    m_path->setAccessibleName(tr("File"));
    connect(m_path, &QLineEdit::textEdited, this, &ReportDialog::setPath);
    connect(m_path, &QLineEdit::textChanged, this, [this] { m_question->withdraw(); });
    m_browse = new QPushButton(tr("Browse\u2026"));
    m_browse->setAutoDefault(false);
    connect(m_browse, &QPushButton::clicked, this, &ReportDialog::browse);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_path, 1);
    row->addWidget(m_browse);
    form.addRow(rowName(tr("File")), row);
}

void ReportDialog::addButtons(QLayout& column)
{
    auto* buttons = new QDialogButtonBox;
    m_write = buttons->addButton(tr("Create"), QDialogButtonBox::AcceptRole);
    m_write->setObjectName("write");
    m_write->setDefault(true);
    m_cancel = buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    connect(buttons, &QDialogButtonBox::accepted, this, &ReportDialog::write);
    connect(buttons, &QDialogButtonBox::rejected, this, &ReportDialog::reject);
    column.addWidget(buttons);
}

QString ReportDialog::path() const
{
    return m_path->text();
}

void ReportDialog::setPath(const QString& path)
{
    if (m_path->text() != path)
        m_path->setText(path);
    const auto format = kEndings.indexOf(QString::fromStdString(endingOf(path.toStdString())));
    if (format >= 0)
        m_format->setCurrent(static_cast<int>(format));
}

QString ReportDialog::problem() const
{
    return m_problem->text();
}

void ReportDialog::chooseFormat(int index)
{
    const QFileInfo file(m_path->text());
    m_path->setText(QDir(file.path()).filePath(file.completeBaseName() + kEndings.value(index)));
}

void ReportDialog::browse()
{
    auto* dialog = new QFileDialog(this, tr("Write a report as PDF or JSON"), m_path->text());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setOption(QFileDialog::DontConfirmOverwrite); // asked when it is written
    dialog->setNameFilters({tr("Reports (*.pdf *.json)")});
    dialog->setDefaultSuffix(kEndings.value(m_format->current()).mid(1));
    connect(dialog, &QFileDialog::fileSelected, this, &ReportDialog::setPath);
    dialog->open();
}

void ReportDialog::setWriting(bool writing)
{
    m_writing = writing;
    for (QWidget* widget : std::initializer_list<QWidget*>{m_format, m_path, m_browse, m_write})
        widget->setEnabled(!writing);
    m_ablation->setEnabled(!writing && m_request.model.model != nullptr);
    m_bar->setVisible(writing);
    m_part->setVisible(writing);
    m_problem->setVisible(!m_problem->text().isEmpty());
}

void ReportDialog::write()
{
    if (m_writing)
        return;
    m_problem->clear();
    try {
        reportFormat(path().toStdString());
    } catch (const std::exception& error) {
        return stop(errorSentence(error));
    }
    if (!m_question->allows(path()))
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
    m_problem->setText(sentence);
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
