#pragma once

#include "ui/pages/what_if/change_previews.h"

#include <QWidget>

class QScrollArea;

namespace headscope::ui {

class ChangeList;
class Session;
class TextLabel;

/// What could be changed in B while nothing is: rows with a live preview each, computed while no
/// forward pass of the text is pending.
class ChangeOffers : public QWidget
{
    Q_OBJECT

public:
    explicit ChangeOffers(Session& session, QWidget* parent = nullptr);

    void refresh(const ViewSnapshot& view);
    void cancel(); ///< Stops the previews, as while B has changes.

    bool isMeasuring() const { return m_previews.isMeasuring(); }

    ChangeList& list() const { return *m_list; }

signals:
    void applied(); ///< Emitted after a row was applied.

private:
    void apply(int row);
    void showPreviews();
    void reveal(int row);

    Session& m_session;
    TextLabel* m_note;
    ChangeList* m_list;
    QScrollArea* m_scroll;
    ChangePreviews m_previews;
};

} // namespace headscope::ui
