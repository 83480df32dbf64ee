#pragma once

#include "ui/pages/shared/figures/figure_page.h"
#include "ui/window/dialogs/save_dialog.h"

class QCheckBox;
class QComboBox;
class QSpinBox;

namespace headscope::ui {

class SegmentBar;
class TextLabel;

/// Dialog with all options of an exported figure and a summary of the result.
class ExportDialog : public SaveDialog
{
    Q_OBJECT

public:
    /// Stores `session` in the file's metadata; proposes a new file in `folder`.
    ExportDialog(Figure figure, QByteArray session, const QString& folder, QWidget* parent);

    FigureStyle style() const;
    void save() override;

protected:
    void refresh() override;

private:
    void addAppearance();

    Figure m_figure;
    QByteArray m_session;
    SegmentBar* m_theme = nullptr;
    QComboBox* m_scale = nullptr;
    QSpinBox* m_width = nullptr;
    QSpinBox* m_height = nullptr;
    QCheckBox* m_caption = nullptr;
    TextLabel* m_preview = nullptr;
};

} // namespace headscope::ui
