#include "ui/window/dialogs/save_dialog.h"

#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/figures/figure_file.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"
#include "ui/window/dialogs/proposed_file.h"
#include "ui/window/dialogs/replace_question.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>

namespace headscope::ui {

SaveDialog::SaveDialog(const QString& heading, const QString& explanation,
                       const std::vector<Format>& formats, QWidget* parent)
    : GrowingDialog(parent)
    , m_column(new QVBoxLayout(this))
    , m_form(new QFormLayout)
    , m_format(new SegmentBar)
    , m_path(new QLineEdit)
    , m_browse(new QPushButton(tr("Browse\u2026")))
    , m_problem(new TextLabel({}, TextRole::Body, TextLabel::Tone::Error))
    , m_question(new ReplaceQuestion)
{
    setAttribute(Qt::WA_DeleteOnClose);
    m_column->setContentsMargins(24, 24, 24, 24);
    m_column->setSpacing(8);
    m_column->addWidget(new TextLabel(heading, TextRole::Heading));
    if (!explanation.isEmpty()) {
        auto* words = new TextLabel(explanation, TextRole::Body, TextLabel::Tone::Text2);
        words->setWordWrap(true);
        m_column->addWidget(words);
    }
    m_column->addSpacing(8);
    m_column->addLayout(m_form);
    m_form->setHorizontalSpacing(24);
    m_form->setVerticalSpacing(8);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    std::vector<Segment> segments;
    for (const Format& format : formats) {
        segments.push_back({format.name, format.toolTip});
        m_endings << format.ending;
    }
    m_format->setSegments(segments);
    m_format->setCurrent(0);
    m_format->setAccessibleName(tr("Format"));
    connect(m_format, &SegmentBar::currentChanged, this, &SaveDialog::chooseFormat);
    addRow(tr("Format"), m_format);
    m_problem->setObjectName("problem");
    m_problem->setWordWrap(true);
    setMinimumWidth(560);
}

void SaveDialog::addRow(const QString& name, QWidget* field)
{
    m_form->addRow(new TextLabel(name, TextRole::Body, TextLabel::Tone::Text2), field);
}

void SaveDialog::addFile(const QString& folder, const QString& name, const QString& title,
                         const QString& filter)
{
    m_path->setText(freshPath(folder, name, ending()));
    m_path->setAccessibleName(tr("File"));
    connect(m_path, &QLineEdit::textEdited, this, &SaveDialog::setPath);
    connect(m_path, &QLineEdit::textChanged, m_question, &ReplaceQuestion::withdraw);
    m_browse->setAutoDefault(false);
    connect(m_browse, &QPushButton::clicked, this,
            [this, title, filter] { browse(title, filter); });
    m_form->addRow(new TextLabel(tr("File"), TextRole::Body, TextLabel::Tone::Text2),
                   rowOf(8, {{m_path, 1}, m_browse}));
}

void SaveDialog::addEnd(const std::vector<QWidget*>& widgets, const QString& action)
{
    for (QWidget* widget : widgets)
        m_column->addWidget(widget);
    m_column->addWidget(m_problem);
    m_column->addWidget(m_question);
    connect(m_question, &ReplaceQuestion::confirmed, this, &SaveDialog::save);
    auto* buttons = new QDialogButtonBox;
    m_save = buttons->addButton(action, QDialogButtonBox::AcceptRole);
    m_save->setProperty("role", "primary");
    m_save->setObjectName("write");
    m_save->setDefault(true);
    buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole)->setObjectName("cancel");
    connect(buttons, &QDialogButtonBox::accepted, this, &SaveDialog::save);
    connect(buttons, &QDialogButtonBox::rejected, this, &SaveDialog::reject);
    m_column->addWidget(buttons);
    setProblem({});
}

QString SaveDialog::path() const
{
    return m_path->text();
}

void SaveDialog::setPath(const QString& path)
{
    if (m_path->text() != path)
        m_path->setText(path);
    const auto format = m_endings.indexOf(QString::fromStdString(endingOf(path.toStdString())));
    if (format >= 0)
        m_format->setCurrent(static_cast<int>(format));
    refresh();
}

void SaveDialog::setProblem(const QString& sentence)
{
    m_problem->setText(sentence);
    m_problem->setVisible(!sentence.isEmpty());
}

int SaveDialog::format() const
{
    return m_format->current();
}

QString SaveDialog::ending() const
{
    return m_endings.value(format());
}

void SaveDialog::chooseFormat()
{
    const QFileInfo file(path());
    m_path->setText(QDir(file.path()).filePath(file.completeBaseName() + ending()));
    refresh();
}

bool SaveDialog::isReplaceable()
{
    return m_question->allows(path());
}

void SaveDialog::setFieldsEnabled(bool enabled)
{
    for (QWidget* widget : std::initializer_list<QWidget*>{m_format, m_path, m_browse, m_save})
        widget->setEnabled(enabled);
}

void SaveDialog::browse(const QString& title, const QString& filter)
{
    auto* dialog = new QFileDialog(this, title, path());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setOption(QFileDialog::DontConfirmOverwrite); // asked when it is written
    dialog->setNameFilters({filter});
    dialog->setDefaultSuffix(ending().mid(1));
    connect(dialog, &QFileDialog::fileSelected, this, &SaveDialog::setPath);
    dialog->open();
}

} // namespace headscope::ui
