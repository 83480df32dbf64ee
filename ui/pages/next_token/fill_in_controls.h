#pragma once

#include "ui/pages/next_token/next_token_content.h"

#include <QWidget>

class QPushButton;

namespace headscope::ui {

class Session;
class TextLabel;

/// What an encoder predicts: masks the selected token, writes a candidate in its place, and says
/// whether the second text of a pair follows the first.
class FillInControls : public QWidget
{
    Q_OBJECT

public:
    explicit FillInControls(Session& session, QWidget* parent = nullptr);

    /// Shows a prediction; `row` is the chosen candidate, by default the first.
    void setContent(const NextTokenContent& content, std::optional<int> row);

    bool toggleMask();     ///< Masks the token of the content, or puts the hidden word back.
    bool writeCandidate(); ///< Writes the chosen candidate in place of the mask token.

private:
    const NextTokenRow* candidate() const;
    QString stateText() const;
    QString hiddenText(const QString& word) const;
    QString pairText() const;

    Session& m_session;
    TextLabel* m_state;
    QPushButton* m_mask;
    QPushButton* m_write;
    TextLabel* m_pairTitle;
    TextLabel* m_pair;
    NextTokenContent m_content;
    std::optional<int> m_row;
};

} // namespace headscope::ui
