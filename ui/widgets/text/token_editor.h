#pragma once

#include <QLineEdit>

namespace headscope::ui {

/// Editor over one chip of a strip. Return and losing the focus keep the text, Esc does not; then
/// it deletes itself.
class TokenEditor : public QLineEdit
{
    Q_OBJECT

public:
    TokenEditor(int token, const QString& text, QWidget* strip);

    void finish(bool keep); ///< Ends editing; only the first call has an effect.

signals:
    void edited(int token, const QString& text); ///< Emitted when a changed text was kept.

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void selectWord();

    int m_token;
    bool m_isFinished = false;
};

} // namespace headscope::ui
