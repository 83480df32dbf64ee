#pragma once

#include <QPushButton>
#include <QWidget>

namespace headscope::ui {

class Session;
class TextLabel;

/// One heading, one sentence, at most one button, in the middle of its parent's area.
class EmptyState : public QWidget
{
    Q_OBJECT

public:
    explicit EmptyState(QWidget* parent);

    void setTexts(const QString& heading, const QString& sentence, const QString& button);

    /// "Nothing is typed yet", what `sentence` says, and a button that takes the sample sentence of
    /// the open model.
    void askForText(Session& session, const QString& sentence);

signals:
    void buttonPressed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    TextLabel* m_heading;
    TextLabel* m_sentence;
    QPushButton* m_button;
    Session* m_asked = nullptr; ///< whose sample sentence the button takes
};

} // namespace headscope::ui
