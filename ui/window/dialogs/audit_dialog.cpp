#include "ui/window/dialogs/audit_dialog.h"

#include "ui/models/tensor_table_model.h"
#include "ui/pages/shared/boxes.h"
#include "ui/session/session.h"
#include "ui/widgets/labels.h"
#include "ui/window/frame/window_texts.h"

#include <nlohmann/json.hpp>

#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace headscope::ui {

namespace {

constexpr QSize kFirstSize{860, 680};
constexpr QSize kSmallest{560, 420};
constexpr int kFactColumn = 104;

/// Names used by factsOf(), listed for translation.
[[maybe_unused]] constexpr const char* kFactNames[] = {
    QT_TRANSLATE_NOOP("ModelFacts", "file"),       QT_TRANSLATE_NOOP("ModelFacts", "format"),
    QT_TRANSLATE_NOOP("ModelFacts", "tensors"),    QT_TRANSLATE_NOOP("ModelFacts", "weights"),
    QT_TRANSLATE_NOOP("ModelFacts", "shape"),      QT_TRANSLATE_NOOP("ModelFacts", "heads"),
    QT_TRANSLATE_NOOP("ModelFacts", "window"),     QT_TRANSLATE_NOOP("ModelFacts", "output"),
    QT_TRANSLATE_NOOP("ModelFacts", "vocabulary"), QT_TRANSLATE_NOOP("ModelFacts", "tokenizer"),
    QT_TRANSLATE_NOOP("ModelFacts", "generation"), QT_TRANSLATE_NOOP("ModelFacts", "precision")};

QString factName(const std::string& name)
{
    return QCoreApplication::translate("ModelFacts", name.c_str());
}

void clear(QLayout& layout)
{
    while (QLayoutItem* item = layout.takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

QString tensorLine(const QAbstractItemModel& model, int row)
{
    QStringList cells;
    for (int column = 0; column < model.columnCount(); ++column)
        cells << model.index(row, column).data().toString();
    return cells.join(u'\t');
}

/// Makes the label's text selectable and copyable by mouse and keyboard.
TextLabel* readable(const QString& text, TextLabel::Tone tone, const QString& name)
{
    auto* label = new TextLabel(text, TextRole::Body, tone);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setAccessibleName(name);
    label->setAccessibleDescription(text);
    return label;
}

} // namespace

AuditDialog::AuditDialog(Session& session, QWidget* parent)
    : QDialog(parent)
    , m_session(session)
    , m_name(new TextLabel({}, TextRole::Title))
    , m_waiting(
          new TextLabel(tr("Reading the weights\u2026"), TextRole::Body, TextLabel::Tone::Text2))
    , m_warnings(new QVBoxLayout)
    , m_facts(new QGridLayout)
{
    setObjectName("audit");
    setWindowTitle(tr("About this model"));
    setAttribute(Qt::WA_DeleteOnClose);
    setSizeGripEnabled(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 24, 24, 24);
    column->setSpacing(8);
    column->addWidget(m_name);
    column->addWidget(m_waiting);
    column->addLayout(m_warnings);
    column->addWidget(makeFacts());
    column->addSpacing(8);
    makeTensors(*column);
    makeButtons(*column);
    setMinimumSize(kSmallest);
    resize(kFirstSize);
    connect(&session, &Session::auditChanged, this, &AuditDialog::refresh);
    refresh();
    m_filter->setFocus();
}

QWidget* AuditDialog::makeFacts()
{
    m_warnings->setSpacing(8);
    m_facts->setContentsMargins(0, 0, 0, 0);
    m_facts->setHorizontalSpacing(16);
    m_facts->setVerticalSpacing(4);
    m_facts->setColumnMinimumWidth(0, kFactColumn);
    m_facts->setColumnStretch(1, 1);
    auto* facts = new QWidget;
    facts->setLayout(m_facts);
    facts->setAccessibleName(tr("Facts"));
    return facts;
}

void AuditDialog::makeTensors(QVBoxLayout& column)
{
    m_filter = new QLineEdit;
    m_filter->setPlaceholderText(tr("Filter: name, type, shape, parameter, unused"));
    m_filter->setAccessibleName(tr("Filter tensors"));
    m_filter->setClearButtonEnabled(true);
    m_count = new TextLabel({}, TextRole::Body, TextLabel::Tone::Text3);
    column.addLayout(rowOf(12, {heading(tr("Tensors")), {m_filter, 1}, m_count}));
    m_model = new TensorTableModel(this);
    m_shown = new TensorFilter(this);
    m_shown->setSourceModel(m_model);
    auto* tensors = new QTableView;
    tensors->setModel(m_shown);
    tensors->setAccessibleName(tr("Tensors"));
    tensors->setFrameShape(QFrame::NoFrame);
    tensors->setShowGrid(false);
    tensors->setWordWrap(false);
    tensors->setTabKeyNavigation(false);
    tensors->setSelectionBehavior(QAbstractItemView::SelectRows);
    tensors->setEditTriggers(QAbstractItemView::NoEditTriggers);
    tensors->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    tensors->verticalHeader()->hide();
    tensors->verticalHeader()->setDefaultSectionSize(qRound(28 * Theme::of(*this).scale()));
    tensors->horizontalHeader()->setHighlightSections(false);
    tensors->setSortingEnabled(true);
    tensors->sortByColumn(-1, Qt::AscendingOrder); // file order
    const int widths[] = {232, 64, 112, 96, 176, 80, 80};
    for (int section = 0; section < TensorTableModel::kColumns; ++section)
        tensors->setColumnWidth(section, qRound(widths[section] * Theme::of(*this).scale()));
    column.addWidget(tensors, 1);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& words) {
        m_shown->setText(words);
        refreshCount();
    });
}

void AuditDialog::makeButtons(QVBoxLayout& column)
{
    auto* buttons = new QDialogButtonBox;
    const auto copier = [&](const QString& text, auto content) {
        QPushButton* button = buttons->addButton(text, QDialogButtonBox::ActionRole);
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this,
                [content] { QApplication::clipboard()->setText(content()); });
    };
    copier(tr("Copy as &text"), [this] { return this->text(); });
    copier(tr("Copy as &JSON"), [this] { return QString::fromUtf8(json()); });
    QPushButton* close = buttons->addButton(tr("Close"), QDialogButtonBox::RejectRole);
    close->setAutoDefault(false); // Enter in the filter does not close the dialog
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    column.addSpacing(8);
    column.addWidget(buttons);
}

void AuditDialog::refresh()
{
    m_session.models().wantAudit();
    m_audit = m_session.models().audit();
    m_name->setText(m_session.model().model ? modelName(m_session.model()) : tr("No model"));
    m_waiting->setVisible(!m_audit && m_session.model().model);
    refreshWarnings();
    refreshFacts();
    m_model->setAudit(m_audit);
    refreshCount();
}

void AuditDialog::refreshWarnings()
{
    clear(*m_warnings);
    if (!m_audit)
        return;
    for (const LoadWarning& warning : m_audit->warnings)
        m_warnings->addWidget(
            readable(warningSentence(warning), TextLabel::Tone::Warn, tr("Warning")));
}

void AuditDialog::refreshFacts()
{
    clear(*m_facts);
    if (!m_audit)
        return;
    int row = 0;
    for (const auto& [name, fact] : factsOf(*m_audit)) {
        auto* label = new TextLabel(factName(name), TextRole::Body, TextLabel::Tone::Text3);
        label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        m_facts->addWidget(label, row, 0);
        m_facts->addWidget(
            readable(QString::fromStdString(fact), TextLabel::Tone::Text, factName(name)), row, 1);
        ++row;
    }
}

void AuditDialog::refreshCount()
{
    const int all = m_model->rowCount();
    const int shown = m_shown->rowCount();
    m_count->setText(shown == all ? count(all) : tr("%1 of %2").arg(count(shown), count(all)));
}

QString AuditDialog::text() const
{
    if (!m_audit)
        return {};
    QString all;
    for (const LoadWarning& warning : m_audit->warnings)
        all += tr("warning: %1").arg(warningSentence(warning)) + u'\n';
    for (const auto& [name, fact] : factsOf(*m_audit))
        all += factName(name) + QStringLiteral(": ") + QString::fromStdString(fact) + u'\n';
    for (int row = 0; row < m_model->rowCount(); ++row)
        all += tensorLine(*m_model, row) + u'\n';
    return all;
}

QByteArray AuditDialog::json() const
{
    constexpr int kIndent = 2;
    return m_audit ? QByteArray::fromStdString(
                         toJson(*m_audit, true)
                             .dump(kIndent, ' ', false, nlohmann::json::error_handler_t::replace))
                   : QByteArray();
}

} // namespace headscope::ui
