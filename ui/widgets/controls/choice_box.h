#pragma once

#include <QComboBox>

namespace headscope::ui {

/// Combo box with a visible arrow, which the style sheet's drop-down lacks.
class ChoiceBox : public QComboBox
{
    Q_OBJECT

public:
    using QComboBox::QComboBox;

    /// Sets the accessible name, as screen readers on X11 name a combo box by its text.
    void setPurpose(const QString& name);

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace headscope::ui
