#pragma once

#include <QLineEdit>

namespace headscope::ui {

/// A field over one chip of a strip. Return and leaving the field keep what was typed, Esc does
/// not; then it deletes itself.
class TokenEditor : public QLineEdit
{
    Q_OBJECT

public:
    TokenEditor(int token, const QString& text, QWidget* strip);

    void finish(bool keep); ///< only the first call does anything

signals:
    void edited(int token, const QString& text); ///< kept, and it was changed

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    int m_token;
    bool m_isFinished = false;
};

} // namespace headscope::ui
