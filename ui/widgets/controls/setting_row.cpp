#include "ui/widgets/controls/setting_row.h"

#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/labels.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QWheelEvent>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr int kLabelWidth = 160;
constexpr int kFieldWidth = 168;

/// Line edit without undo of its own; the edited object has it.
class UndoneElsewhere : public QLineEdit
{
public:
    using QLineEdit::QLineEdit;

    bool event(QEvent* event) override
    {
        if (event->type() == QEvent::ShortcutOverride) {
            const auto* key = static_cast<QKeyEvent*>(event);
            if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
                event->ignore();
                return true;
            }
        }
        return QLineEdit::event(event);
    }
};

/// Combo box that ignores the wheel, so that scrolling the form changes no setting.
class StillChoice : public ChoiceBox
{
public:
    using ChoiceBox::ChoiceBox;

protected:
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

} // namespace

SettingRow::SettingRow(const QString& label, const QString& help, const QStringList& choices,
                       QWidget* parent)
    : QWidget(parent)
    , m_label(new TextLabel(label, TextRole::Body, Tone::Text, this))
    , m_help(help)
    , m_note(new TextLabel(help, TextRole::Body, Tone::Text3, this))
{
    m_label->setFixedWidth(kLabelWidth);
    m_note->setObjectName("note");
    m_note->setWordWrap(true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 2, 0, 2);
    row->setSpacing(12);
    row->addWidget(m_label);
    if (choices.isEmpty()) {
        m_field = new UndoneElsewhere(this);
        connect(m_field, &QLineEdit::textEdited, this, &SettingRow::edited);
    } else {
        m_choices = new StillChoice(this);
        m_choices->addItems(choices);
        m_choices->setPurpose(label);
        m_choices->setFocusPolicy(Qt::StrongFocus);
        connect(m_choices, &QComboBox::activated, this,
                [this] { emit edited(m_choices->currentText()); });
    }
    editor()->setFixedWidth(kFieldWidth);
    editor()->setAccessibleName(label);
    editor()->setAccessibleDescription(help);
    m_label->setBuddy(editor());
    row->addWidget(editor());
    row->addWidget(m_note, 1);
}

QWidget* SettingRow::editor() const
{
    return m_field ? static_cast<QWidget*>(m_field) : m_choices;
}

void SettingRow::show(const QString& text, bool isGiven, const QString& error)
{
    if (m_choices) {
        m_choices->setCurrentIndex(m_choices->findText(text));
    } else if (m_field->hasFocus() && m_field->text().isEmpty() && !isGiven) {
        m_field->setPlaceholderText(text); // just cleared, so the default is visible
    } else if (m_field->text() != text) {
        const int cursor = m_field->cursorPosition();
        m_field->setText(text);
        m_field->setCursorPosition(cursor);
    }
    const bool isBad = !error.isEmpty();
    if (isGiven != m_isGiven) // avoids restyling about a hundred rows
        m_label->setStrong(isGiven);
    if (isBad != m_isBad)
        m_note->setTone(isBad ? Tone::Error : Tone::Text3);
    m_isGiven = isGiven;
    m_isBad = isBad;
    m_note->setText(isBad ? error : m_help);
    editor()->setAccessibleDescription(isBad ? error : m_help);
}

} // namespace headscope::ui
