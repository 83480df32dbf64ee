#include "ui/window/dialogs/export_dialog.h"

#include "ui/pages/shared/figures/figure_file.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"
#include "ui/window/dialogs/proposed_file.h"
#include "ui/window/dialogs/replace_question.h"
#include "ui/workers/error_sentence.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace headscope::ui {

namespace {

const QStringList kEndings{QStringLiteral(".png"), QStringLiteral(".svg"), QStringLiteral(".pdf")};
constexpr int kLargestSide = 16384;

TextLabel* rowName(const QString& text)
{
    return new TextLabel(text, TextRole::Body, TextLabel::Tone::Text2);
}

} // namespace

ExportDialog::ExportDialog(Figure figure, QByteArray session, const QString& folder,
                           QWidget* parent)
    : GrowingDialog(parent)
    , m_figure(std::move(figure))
    , m_session(std::move(session))
{
    setObjectName("export");
    setWindowTitle(tr("Export view"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(24);
    form->setVerticalSpacing(8);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 24, 24, 24);
    column->setSpacing(8);
    column->addWidget(new TextLabel(m_figure.title, TextRole::Heading));
    column->addSpacing(8);
    column->addLayout(form);
    addFormat(*form);
    addSize(*form);
    addFile(*form, folder);
    m_preview = new TextLabel({}, TextRole::Caption, TextLabel::Tone::Text2);
    m_preview->setObjectName("preview");
    m_problem = new TextLabel({}, TextRole::Body, TextLabel::Tone::Error);
    for (TextLabel* label : {m_preview, m_problem}) {
        label->setWordWrap(true);
        column->addWidget(label);
    }
    m_question = new ReplaceQuestion;
    connect(m_question, &ReplaceQuestion::confirmed, this, &ExportDialog::save);
    column->addWidget(m_question);
    addButtons(*column);
    setMinimumWidth(560);
    refresh();
}

void ExportDialog::addFormat(QFormLayout& form)
{
    m_format = new SegmentBar;
    m_format->setSegments({{tr("PNG"), tr("Pixels")},
                           {tr("SVG"), tr("Vector graphics, for the web and for editing")},
                           {tr("PDF"), tr("Vector graphics with searchable text, for papers")}});
    m_format->setCurrent(0);
    m_format->setAccessibleName(tr("Format"));
    connect(m_format, &SegmentBar::currentChanged, this, &ExportDialog::chooseFormat);
    form.addRow(rowName(tr("Format")), m_format);
    m_theme = new SegmentBar;
    m_theme->setSegments({{tr("Light"), {}}, {tr("Dark"), {}}});
    m_theme->setCurrent(0);
    m_theme->setAccessibleName(tr("Theme"));
    connect(m_theme, &SegmentBar::currentChanged, this, &ExportDialog::refresh);
    form.addRow(rowName(tr("Theme")), m_theme);
}

void ExportDialog::addSize(QFormLayout& form)
{
    auto* scales = new ChoiceBox;
    scales->setPurpose(tr("Scale"));
    m_scale = scales;
    for (const int scale : {1, 2, 3, 4, 8})
        m_scale->addItem(tr("Scale factor %1", nullptr, scale).arg(scale), scale);
    m_scale->setCurrentIndex(1);
    connect(m_scale, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    form.addRow(rowName(tr("Scale")), m_scale);
    const auto side = [this](const QString& name) {
        auto* box = new QSpinBox;
        box->setRange(0, kLargestSide);
        box->setSingleStep(20);
        box->setSpecialValueText(tr("automatic"));
        box->setSuffix(tr(" px"));
        box->setAccessibleName(name);
        connect(box, &QSpinBox::valueChanged, this, &ExportDialog::refresh);
        return box;
    };
    m_width = side(tr("Width"));
    m_height = side(tr("Height"));
    form.addRow(rowName(tr("Width")), m_width);
    form.addRow(rowName(tr("Height")), m_height);
    m_caption = new QCheckBox(tr("Include caption below the figure"));
    m_caption->setEnabled(!m_figure.caption.isEmpty());
    m_caption->setToolTip(m_figure.caption);
    connect(m_caption, &QCheckBox::toggled, this, &ExportDialog::refresh);
    form.addRow(rowName(tr("Caption")), m_caption);
}

void ExportDialog::addFile(QFormLayout& form, const QString& folder)
{
    m_path = new QLineEdit(freshPath(folder, fileNameFor(m_figure.title), kEndings.front()));
    m_path->setAccessibleName(tr("File"));
    connect(m_path, &QLineEdit::textEdited, this, &ExportDialog::setPath);
    connect(m_path, &QLineEdit::textChanged, this, [this] { m_question->withdraw(); });
    auto* browse = new QPushButton(tr("Browse\u2026"));
    browse->setAutoDefault(false);
    connect(browse, &QPushButton::clicked, this, &ExportDialog::browse);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_path, 1);
    row->addWidget(browse);
    form.addRow(rowName(tr("File")), row);
}

void ExportDialog::addButtons(QLayout& column)
{
    auto* buttons = new QDialogButtonBox;
    QPushButton* write = buttons->addButton(tr("Export"), QDialogButtonBox::AcceptRole);
    write->setDefault(true);
    buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    connect(buttons, &QDialogButtonBox::accepted, this, &ExportDialog::save);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    column.addWidget(buttons);
}

QString ExportDialog::ending() const
{
    return kEndings.value(m_format->current());
}

FigureStyle ExportDialog::style() const
{
    FigureStyle style;
    style.dark = m_theme->current() == 1;
    style.scale = m_format->current() == 0 ? m_scale->currentData().toDouble() : 1.0;
    if (m_width->value() > 0 || m_height->value() > 0) {
        const QSize wanted = FigurePage(m_figure, {style.dark}).size();
        style.size = {m_width->value() > 0 ? m_width->value() : wanted.width(),
                      m_height->value() > 0 ? m_height->value() : wanted.height()};
    }
    style.caption = m_caption->isChecked();
    style.session = m_session;
    return style;
}

QString ExportDialog::path() const
{
    return m_path->text();
}

void ExportDialog::setPath(const QString& path)
{
    if (m_path->text() != path)
        m_path->setText(path);
    const auto format = kEndings.indexOf(QString::fromStdString(endingOf(path.toStdString())));
    if (format >= 0)
        m_format->setCurrent(static_cast<int>(format));
    refresh();
}

void ExportDialog::chooseFormat(int)
{
    const QFileInfo file(m_path->text());
    m_path->setText(QDir(file.path()).filePath(file.completeBaseName() + ending()));
    refresh();
}

void ExportDialog::browse()
{
    auto* dialog = new QFileDialog(this, tr("Export as PNG, SVG or PDF"), m_path->text());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setOption(QFileDialog::DontConfirmOverwrite); // asked when it is written
    dialog->setNameFilters({tr("Figures (*.png *.svg *.pdf)")});
    dialog->setDefaultSuffix(ending().mid(1));
    connect(dialog, &QFileDialog::fileSelected, this, &ExportDialog::setPath);
    dialog->open();
}

QString ExportDialog::problem() const
{
    return m_problem->text();
}

/// Describes the file to be written, or says why it cannot be written.
void ExportDialog::refresh()
{
    m_scale->setEnabled(m_format->current() == 0);
    m_problem->clear();
    m_problem->hide();
    try {
        const FigureStyle now = style();
        const QSize size = FigurePage(m_figure, now).size() * now.scale;
        m_preview->setText(
            tr("%1, %2 \u00D7 %3 %4, %5. The file includes title, model, sentence, caption and "
               "version. It also contains this session: open the file in Headscope to restore "
               "the window.")
                .arg(ending().mid(1).toUpper(), count(size.width()), count(size.height()),
                     m_format->current() == 0 ? tr("pixels") : tr("logical pixels"),
                     now.dark ? tr("dark") : tr("light")));
    } catch (const std::exception& error) {
        m_preview->clear();
        m_problem->setText(errorSentence(error));
        m_problem->show();
    }
}

void ExportDialog::save()
{
    if (!m_question->allows(path()))
        return;
    try {
        saveFigure(m_figure, style(), path().toStdString());
    } catch (const std::exception& error) {
        m_problem->setText(errorSentence(error));
        m_problem->show();
        return;
    }
    emit saved(path());
    close();
}

} // namespace headscope::ui
