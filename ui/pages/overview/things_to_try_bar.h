#pragma once

#include "ui/pages/shared/session_panel.h"
#include "ui/session/things_to_try.h"

#include <array>

class QGridLayout;
class QPushButton;

namespace headscope::ui {

/// What the strongest head does on the sample sentence, and below it the things to try. Hidden on
/// other texts.
class ThingsToTryBar : public SessionPanel
{
    Q_OBJECT

public:
    explicit ThingsToTryBar(Session& session, QWidget* parent = nullptr);

    QPushButton& button(ThingToTry thing) const
    {
        return *m_buttons[static_cast<std::size_t>(thing)];
    }

    QSize minimumSizeHint() const override;

protected:
    void refresh(ChangeSet changes) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void follow();
    void placeButtons(int columns);

    ThingsToTry& m_things;
    QPushButton* m_sentence;
    QWidget* m_row; ///< Parent of the buttons.
    QGridLayout* m_grid = nullptr;
    int m_columns = 0;
    std::array<QPushButton*, ThingsToTry::kCount> m_buttons{};
};

} // namespace headscope::ui
