#pragma once

#include <QStringList>
#include <QWidget>

class QLineEdit;

namespace headscope::ui {

class ChoiceBox;
class TextLabel;

/// One setting: its name, a field or a list of choices, and what it does or what is wrong with it.
class SettingRow : public QWidget
{
    Q_OBJECT

public:
    /// Without choices a field to type in.
    SettingRow(const QString& label, const QString& help, const QStringList& choices,
               QWidget* parent = nullptr);

    /// `isGiven`: by the person, not by the defaults. Keeps a text that is being typed.
    void show(const QString& text, bool isGiven, const QString& error);

    QString text() const;
    QString note() const; ///< the help, or the error
    QWidget* editor() const;

    QLineEdit* field() const { return m_field; } ///< null where there are choices

signals:
    void edited(const QString& text); ///< by the person

private:
    TextLabel* m_label;
    QString m_help;
    QLineEdit* m_field = nullptr;
    ChoiceBox* m_choices = nullptr;
    TextLabel* m_note;
    bool m_isGiven = false;
    bool m_isBad = false;
};

} // namespace headscope::ui
