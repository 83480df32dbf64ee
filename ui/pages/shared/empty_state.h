#pragma once

#include <QPushButton>
#include <QWidget>

namespace headscope::ui {

class Session;
class TextLabel;

/// What an empty state says; nothing while there is something to show.
struct EmptyWords
{
    QString heading;
    QString sentence;
};

/// One heading, one sentence, at most one button, in the middle of its parent's area.
class EmptyState : public QWidget
{
    Q_OBJECT

public:
    explicit EmptyState(QWidget* parent);

    void setTexts(const QString& heading, const QString& sentence, const QString& button);

    /// Stands there, and says what is missing: a model, a text (asked for by `sentence`, unless that
    /// is empty), or what `words` tell. Away when nothing is.
    void refresh(Session& session, const QString& sentence, const EmptyWords& words = {});

    void askForModel(); ///< "No model is open"

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
