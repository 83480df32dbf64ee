#pragma once

#include "ui/pages/shared/figures/figure_page.h"
#include "ui/window/dialogs/growing_dialog.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLineEdit;
class QSpinBox;

namespace headscope::ui {

class ReplaceQuestion;
class SegmentBar;
class TextLabel;

/// Dialog with all options of an exported figure and a summary of the result. Not modal; errors are
/// shown inside.
class ExportDialog : public GrowingDialog
{
    Q_OBJECT

public:
    /// Stores `session` in the file's metadata; proposes a new file in `folder`.
    ExportDialog(Figure figure, QByteArray session, const QString& folder, QWidget* parent);

    FigureStyle style() const;
    QString path() const;
    void setPath(const QString& path); ///< Sets the file's path; its extension selects the format.
    QString problem() const; ///< Reason why nothing can be written; empty when there is none.
    void save();             ///< Saves the figure; asks before it replaces a file.

signals:
    void saved(const QString& path);

private:
    void addFormat(QFormLayout& form);
    void addSize(QFormLayout& form);
    void addFile(QFormLayout& form, const QString& folder);
    void addButtons(QLayout& column);
    void chooseFormat(int index);
    void browse();
    void refresh();
    QString ending() const;

    Figure m_figure;
    QByteArray m_session;
    SegmentBar* m_format = nullptr;
    SegmentBar* m_theme = nullptr;
    QComboBox* m_scale = nullptr;
    QSpinBox* m_width = nullptr;
    QSpinBox* m_height = nullptr;
    QCheckBox* m_caption = nullptr;
    QLineEdit* m_path = nullptr;
    TextLabel* m_preview = nullptr;
    TextLabel* m_problem = nullptr;
    ReplaceQuestion* m_question = nullptr;
};

} // namespace headscope::ui
