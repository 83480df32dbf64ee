#pragma once

#include <QStringList>
#include <QWidget>

class QLineEdit;

namespace headscope::ui {

class ChoiceBox;
class TextLabel;

/// One setting: its name, a field or a list of choices, and its help or error.
class SettingRow : public QWidget
{
    Q_OBJECT

public:
    /// Creates a text field if there are no choices.
    SettingRow(const QString& label, const QString& help, const QStringList& choices,
               QWidget* parent = nullptr);

    /// Shows a value; `isGiven` marks one set by the user rather than a default. Keeps text that is
    /// being typed.
    void show(const QString& text, bool isGiven, const QString& error);

    QWidget* editor() const;

signals:
    void edited(const QString& text); ///< Emitted when the user edits the value.

private:
    TextLabel* m_label;
    QString m_help;
    QLineEdit* m_field = nullptr;
    ChoiceBox* m_choices = nullptr;
    TextLabel* m_note; ///< Help text or error.
    bool m_isGiven = false;
    bool m_isBad = false;
};

} // namespace headscope::ui
