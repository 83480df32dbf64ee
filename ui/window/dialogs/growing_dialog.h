#pragma once

#include <QDialog>

namespace headscope::ui {

/// Dialog that is always as high as its wrapped texts need, also when more of them appear: the
/// layout of a window knows only their height at the largest width.
class GrowingDialog : public QDialog
{
    Q_OBJECT

public:
    using QDialog::QDialog;

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void fitHeight();
};

} // namespace headscope::ui
