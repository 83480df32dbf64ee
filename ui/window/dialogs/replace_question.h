#pragma once

#include <QWidget>

class QPushButton;

namespace headscope::ui {

class TextLabel;

/// Question inside a dialog whether an existing file may be replaced. Hidden until it is asked.
class ReplaceQuestion : public QWidget
{
    Q_OBJECT

public:
    ReplaceQuestion();

    /// True if there is no such file, or its replacement was confirmed; else asks.
    bool allows(const QString& path);

    void withdraw(); ///< Hides the question, for another path.

signals:
    void confirmed(); ///< Emitted when the file may be replaced.

private:
    TextLabel* m_sentence; ///< The question; empty while none is asked.
    QPushButton* m_replace;
    QString m_asked;     ///< Path of the question.
    QString m_confirmed; ///< Path that may be replaced.
};

} // namespace headscope::ui
