#pragma once

#include "ui/window/dialogs/growing_dialog.h"

class QFormLayout;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace headscope::ui {

class ReplaceQuestion;
class SegmentBar;
class TextLabel;

/// Dialog that writes one file, with a choice of its format and path. Not modal; errors are shown
/// inside, and so is the question whether to replace a file.
class SaveDialog : public GrowingDialog
{
    Q_OBJECT

public:
    QString path() const;
    void setPath(const QString& path); ///< Sets the file's path; its extension selects the format.

    virtual void save() = 0; ///< Saves the file; asks before it replaces one.

signals:
    void saved(const QString& path);

protected:
    struct Format
    {
        QString name;
        QString toolTip;
        QString ending; ///< File name extension, with its dot.
    };

    /// Begins with a heading, an explanation if there is one, and the choice of the format.
    SaveDialog(const QString& heading, const QString& explanation,
               const std::vector<Format>& formats, QWidget* parent);

    void addRow(const QString& name, QWidget* field);
    /// Row of the path, at first a new file in `folder`. `title` and `filter` are for the file
    /// dialog.
    void addFile(const QString& folder, const QString& name, const QString& title,
                 const QString& filter);
    /// Adds widgets below the form, then the error, the question and the buttons. `action` is the
    /// text of the default button.
    void addEnd(const std::vector<QWidget*>& widgets, const QString& action);

    int format() const; ///< Index of the chosen format.
    QString ending() const;
    bool
    isReplaceable(); ///< True unless the file exists and its replacement is yet to be confirmed.
    void setProblem(const QString& sentence);
    void setFieldsEnabled(bool enabled); ///< Format, file and the default button.

    virtual void refresh() {} ///< Called when the format or path has changed.

private:
    void chooseFormat();
    void browse(const QString& title, const QString& filter);

    QStringList m_endings;
    QVBoxLayout* m_column;
    QFormLayout* m_form;
    SegmentBar* m_format;
    QLineEdit* m_path;
    QPushButton* m_browse;
    TextLabel* m_problem; ///< Reason why nothing can be written; empty when there is none.
    ReplaceQuestion* m_question;
    QPushButton* m_save = nullptr;
};

} // namespace headscope::ui
