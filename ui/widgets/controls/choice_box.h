#pragma once

#include <QComboBox>

namespace headscope::ui {

/// A list to choose one from that shows that it opens: the style sheet's drop-down has no arrow.
class ChoiceBox : public QComboBox
{
    Q_OBJECT

public:
    using QComboBox::QComboBox;

    /// What is chosen here, for screen readers: to those on X11 a combo box is called by its text.
    void setPurpose(const QString& name);

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace headscope::ui
