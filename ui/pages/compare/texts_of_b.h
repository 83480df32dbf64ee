#pragma once

#include "ui/session/session.h"

#include <QTimer>
#include <QWidget>

class QLineEdit;

namespace headscope::ui {

class TextLabel;

/// The sentence that B reads and, of an encoder-decoder, writes. Typing in either is one step of
/// the session when the hand rests or leaves the field.
class TextsOfB : public QWidget
{
    Q_OBJECT

public:
    explicit TextsOfB(Session& session, QWidget* parent = nullptr);

    QLineEdit& sentence() const { return *m_sentence; }

    QLineEdit& target() const { return *m_target; } ///< hidden unless the model writes one

    void refresh();
    void stop(); ///< Chooses no texts any more.

private:
    void choose();

    Session& m_session;
    QTimer m_pause;
    QLineEdit* m_sentence;
    TextLabel* m_targetTitle;
    QLineEdit* m_target;
};

} // namespace headscope::ui
