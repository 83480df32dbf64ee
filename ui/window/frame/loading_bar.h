#pragma once

#include <QFrame>
#include <QTimer>

#include <optional>

class QProgressBar;
class QPushButton;

namespace headscope::ui {

class Session;
class TextLabel;

/// Progress bar, 40 px, at the top of the page with a description and Cancel, shown while a model
/// is opened or a long text is computed. Fast operations never show it.
class LoadingBar : public QFrame
{
    Q_OBJECT

public:
    explicit LoadingBar(Session& session, QWidget* parent = nullptr);

private:
    bool isOpening() const;
    void cancel();
    void follow();
    void refresh();
    void showOpening();
    void showFraction(const QString& sentence, std::optional<double> fraction);

    Session& m_session;
    TextLabel* m_sentence;
    QProgressBar* m_bar;
    TextLabel* m_fraction;
    QPushButton* m_cancel;
    QTimer m_delay;
};

} // namespace headscope::ui
