#pragma once

#include <QPushButton>
#include <QWidget>

namespace headscope::ui {

class Session;
class TextLabel;

/// Texts of an empty state; empty while there is content.
struct EmptyText
{
    QString heading;
    QString sentence;
};

/// Empty state: one heading, one sentence and at most one button, centred in its parent's area.
class EmptyState : public QWidget
{
    Q_OBJECT

public:
    explicit EmptyState(QWidget* parent);

    void setTexts(const QString& heading, const QString& sentence, const QString& button);

    /// Shows what is missing: a model, a text (requested by `sentence`, unless it is empty), or the
    /// reason in `words`. Hidden when nothing is missing.
    void refresh(Session& session, const QString& sentence, const EmptyText& words = {});

    void askForModel(); ///< Shows "No model is open".

    /// Shows "No text yet", `sentence`, and a button that inserts the sample sentence of the open
    /// model.
    void askForText(Session& session, const QString& sentence);

signals:
    void buttonPressed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    TextLabel* m_heading;
    TextLabel* m_sentence;
    QPushButton* m_button;
    Session* m_asked = nullptr; ///< Session whose sample sentence the button inserts.
};

} // namespace headscope::ui
