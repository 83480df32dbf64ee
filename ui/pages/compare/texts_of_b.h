#pragma once

#include "ui/session/session.h"

#include <QTimer>
#include <QWidget>

class QLineEdit;

namespace headscope::ui {

class TextLabel;

/// Source sentence of B and, for an encoder-decoder, its target. Typing in either becomes one step
/// of the session after a pause or when the field loses focus.
class TextsOfB : public QWidget
{
    Q_OBJECT

public:
    explicit TextsOfB(Session& session, QWidget* parent = nullptr);

    void refresh();
    void stop(); ///< Stops offering texts.

private:
    void choose();

    Session& m_session;
    QTimer m_pause;
    QLineEdit* m_sentence;
    TextLabel* m_targetTitle;
    QLineEdit* m_target; ///< Hidden unless the model generates a target.
};

} // namespace headscope::ui
