#pragma once

#include <QFrame>
#include <QString>

class QLabel;
class QPushButton;
class QToolButton;

namespace headscope::ui {

enum class MessageKind { Error, Warning, Progress, Note };

/// 40 px at the top of a page: icon, one sentence, at most one button, x. Never modal.
class MessageBar : public QFrame
{
    Q_OBJECT

public:
    explicit MessageBar(QWidget* parent = nullptr);

    /// Shows the bar. `button` empty: no button.
    void show(MessageKind kind, const QString& sentence, const QString& button = {});

    MessageKind kind() const { return m_kind; }

    QString sentence() const;

signals:
    void buttonPressed();
    void dismissed();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    MessageKind m_kind = MessageKind::Note;
    QLabel* m_sentence;
    QPushButton* m_button;
    QToolButton* m_close;
};

} // namespace headscope::ui
