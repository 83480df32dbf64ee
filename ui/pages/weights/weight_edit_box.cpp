#include "ui/pages/weights/weight_edit_box.h"

#include "ui/pages/shared/boxes.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/labels.h"

#include <QFileDialog>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

WeightEditBox::WeightEditBox(QWidget* parent)
    : QWidget(parent)
    , m_target(new ChoiceBox(this))
    , m_action(new ChoiceBox(this))
    , m_text(new QLineEdit(this))
    , m_browse(new QPushButton(tr("Open a file\u2026"), this))
    , m_headLabel(new TextLabel(tr("Head"), TextRole::Body, TextLabel::Tone::Text2, this))
    , m_head(new QSpinBox(this))
    , m_otherLabel(new TextLabel(tr("with head"), TextRole::Body, TextLabel::Tone::Text2, this))
    , m_other(new QSpinBox(this))
    , m_apply(new QPushButton(tr("Apply to B"), this))
{
    m_action->setObjectName("editKind");
    m_text->setObjectName("editText");
    m_head->setObjectName("editedHead");
    m_other->setObjectName("otherHead");
    m_target->setPurpose(tr("Part of the matrix to edit"));
    m_action->setPurpose(tr("Kind of edit"));
    m_head->setAccessibleName(tr("Head to edit"));
    m_other->setAccessibleName(tr("Head to swap with"));
    m_apply->setProperty("role", "primary");
    m_apply->setToolTip(tr("Adds this edit to the changes of B; A stays as it is"));
    m_action->addItem(tr("Set to"), static_cast<int>(Action::Set));
    m_action->addItem(tr("Multiply by"), static_cast<int>(Action::Scale));
    m_action->addItem(tr("Set to 0"), static_cast<int>(Action::Zero));
    m_action->addItem(tr("Take from"), static_cast<int>(Action::Take));
    columnOf(8,
             {rowOf(8, {{m_target, 1}, {m_action, 1}}), makeFields(),
              rowOf(8, {m_apply, Placed::space()})},
             this);
    connectFields();
    refreshFields();
}

QLayout* WeightEditBox::makeFields()
{
    return columnOf(8, {rowOf(8, {m_headLabel, m_head, m_otherLabel, m_other, Placed::space()}),
                        rowOf(8, {{m_text, 1}, m_browse})});
}

void WeightEditBox::connectFields()
{
    connect(m_target, &QComboBox::currentIndexChanged, this, &WeightEditBox::refreshFields);
    connect(m_action, &QComboBox::currentIndexChanged, this, &WeightEditBox::refreshFields);
    connect(m_text, &QLineEdit::returnPressed, this, &WeightEditBox::apply);
    connect(m_apply, &QPushButton::clicked, this, &WeightEditBox::apply);
    connect(m_browse, &QPushButton::clicked, this, &WeightEditBox::browse);
    m_text->installEventFilter(this);
}

void WeightEditBox::show(const WeightMatrix& matrix, const WeightsOptions& options,
                         std::optional<float> value)
{
    const bool isNew = matrix.name != m_matrix.name;
    const bool isMoved =
        isNew || options.row != m_options.row || options.column != m_options.column;
    m_matrix = matrix;
    m_options = options;
    if (isNew)
        offerTargets();
    m_now = value ? tr("now %1").arg(double{*value}) : QString();
    refreshPlaceholder();
    if (!isMoved || matrix.headAxis == WeightMatrix::Axis::None)
        return;
    const std::int64_t index =
        matrix.headAxis == WeightMatrix::Axis::Rows ? options.row : options.column;
    m_head->setValue(static_cast<int>(index / matrix.headSize()));
}

/// Keeps the target where the new matrix has it too.
void WeightEditBox::offerTargets()
{
    const Target before = target();
    const QSignalBlocker blocker(m_target);
    m_target->clear();
    const auto add = [this](const QString& text, Target target) {
        m_target->addItem(text, static_cast<int>(target));
    };
    add(tr("This weight"), Target::Weight);
    if (!m_matrix.isVector()) {
        add(tr("This row"), Target::Row);
        add(tr("This column"), Target::Column);
    }
    const bool hasHeads = m_matrix.headAxis != WeightMatrix::Axis::None && m_matrix.heads > 1;
    if (hasHeads)
        add(tr("One head"), Target::Head);
    add(tr("Whole matrix"), Target::Matrix);
    const bool isAttention = QString::fromStdString(m_matrix.name).contains(QLatin1String("attn."));
    if (isAttention && hasHeads)
        add(tr("Two heads: swap"), Target::TwoHeads);
    const auto most = static_cast<int>(std::max<std::int64_t>(m_matrix.heads - 1, 0));
    m_head->setRange(0, most);
    m_other->setRange(0, most);
    setTarget(before);
    refreshFields();
}

void WeightEditBox::refreshFields()
{
    const bool isSwap = target() == Target::TwoHeads;
    const bool isTake = action() == Action::Take && !isSwap;
    const bool isHead = target() == Target::Head || isSwap;
    m_action->setVisible(!isSwap);
    m_text->setVisible(!isSwap && action() != Action::Zero);
    m_browse->setVisible(isTake);
    m_headLabel->setVisible(isHead);
    m_head->setVisible(isHead);
    m_otherLabel->setVisible(isSwap);
    m_other->setVisible(isSwap);
    const QString purpose =
        isTake ? tr("Model to take the weights from") : tr("New value or factor");
    m_text->setAccessibleName(purpose);
    m_text->setToolTip(isTake ? tr("builtin:NAME, or the path of a checkpoint, a GGUF file or a "
                                   "folder, with the same sizes")
                              : tr("A number; press Enter to apply"));
    refreshPlaceholder();
}

void WeightEditBox::refreshPlaceholder()
{
    const bool isOne = target() == Target::Weight;
    if (action() == Action::Take)
        m_text->setPlaceholderText(tr("builtin:NAME or a path"));
    else
        m_text->setPlaceholderText(action() == Action::Scale ? tr("factor")
                                   : isOne                   ? m_now
                                                             : tr("number"));
}

WeightEditBox::Target WeightEditBox::target() const
{
    return static_cast<Target>(m_target->currentData().toInt());
}

void WeightEditBox::setTarget(Target target)
{
    m_target->setCurrentIndex(std::max(m_target->findData(static_cast<int>(target)), 0));
}

WeightEditBox::Action WeightEditBox::action() const
{
    return static_cast<Action>(m_action->currentData().toInt());
}

std::optional<double> WeightEditBox::typedNumber()
{
    QString text = m_text->text().trimmed();
    text.replace(QChar(0x2212), QLatin1Char('-'));
    text.replace(QLatin1Char(','), QLatin1Char('.'));
    bool isNumber = false;
    const double value = text.toDouble(&isNumber);
    if (isNumber && std::isfinite(value) && std::isfinite(static_cast<float>(value)))
        return value;
    emit refused(text.isEmpty()
                     ? tr("Type a number first.")
                     : tr("\u201C%1\u201D is not a number. Type one such as 0.5.").arg(text));
    m_text->setFocus(Qt::OtherFocusReason);
    return std::nullopt;
}

void WeightEditBox::place(WeightEdit& edit) const
{
    edit.matrix = m_matrix.name;
    const Target where = target();
    if (where == Target::Row || (where == Target::Weight && !m_matrix.isVector()))
        edit.row = m_options.row;
    if (where == Target::Column || where == Target::Weight)
        edit.column = m_options.column;
    if (where == Target::Head)
        edit.head = m_head->value();
}

std::optional<WeightEdit> WeightEditBox::edit()
{
    WeightEdit edit;
    if (target() == Target::TwoHeads) {
        edit.kind = WeightEdit::Kind::Swap;
        edit.matrix = m_matrix.name.substr(0, m_matrix.name.rfind('.'));
        edit.head = m_head->value();
        edit.otherHead = m_other->value();
        if (*edit.head != edit.otherHead)
            return edit;
        emit refused(tr("Choose two different heads to swap."));
        return std::nullopt;
    }
    place(edit);
    if (action() == Action::Take) {
        edit.kind = WeightEdit::Kind::Take;
        edit.checkpoint = m_text->text().trimmed().toStdString();
        if (!edit.checkpoint.empty())
            return edit;
        emit refused(tr("Name a model first, or open a file."));
        return std::nullopt;
    }
    const bool isZero = action() == Action::Zero;
    const std::optional<double> number = isZero ? 0.0 : typedNumber();
    if (!number)
        return std::nullopt;
    edit.kind = action() == Action::Set ? WeightEdit::Kind::Set : WeightEdit::Kind::Scale;
    if (edit.kind == WeightEdit::Kind::Set)
        edit.values = {static_cast<float>(*number)};
    else
        edit.factor = *number;
    return edit;
}

void WeightEditBox::apply()
{
    const std::optional<WeightEdit> wanted = edit();
    if (!wanted)
        return;
    m_text->setModified(false);
    emit editWanted(*wanted);
}

/// Leaves Undo to the window while the text is as applied: it then undoes the edit.
bool WeightEditBox::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_text && event->type() == QEvent::ShortcutOverride && !m_text->isModified() &&
        static_cast<QKeyEvent*>(event)->matches(QKeySequence::Undo)) {
        event->ignore();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void WeightEditBox::browse()
{
    auto* dialog = new QFileDialog(this, tr("Take weights from a model"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Models (*.gguf *.safetensors)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, m_text, &QLineEdit::setText);
    dialog->open();
}

} // namespace headscope::ui
