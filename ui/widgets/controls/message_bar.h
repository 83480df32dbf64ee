#pragma once

#include <QFrame>
#include <QString>
#include <QStringList>

#include <vector>

class QLabel;
class QPushButton;
class QToolButton;

namespace headscope::ui {

enum class MessageKind { Error, Warning, Progress, Note };

/// Message bar, 40 px, at the top of a page: icon, one sentence, buttons, close. Never modal.
class MessageBar : public QFrame
{
    Q_OBJECT

public:
    explicit MessageBar(QWidget* parent = nullptr);

    /// Shows the bar; without a button if `button` is empty.
    void show(MessageKind kind, const QString& sentence, const QString& button = {});
    void ask(MessageKind kind, const QString& sentence, const QStringList& answers);
    void focusFirstAnswer();

    MessageKind kind() const { return m_kind; }

    QString sentence() const;

signals:
    void buttonPressed();      ///< Emitted for the first button.
    void answered(int button); ///< Emitted for any button.
    void dismissed();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    MessageKind m_kind = MessageKind::Note;
    QLabel* m_sentence;
    std::vector<QPushButton*> m_buttons;
    QToolButton* m_close;
};

} // namespace headscope::ui
