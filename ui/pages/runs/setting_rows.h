#pragma once

#include "ui/pages/shared/column_scroll.h"
#include "ui/session/runs/run_draft.h"

#include <utility>
#include <vector>

class QVBoxLayout;

namespace headscope::ui {

class SettingRow;
class TextLabel;

/// Every setting of a draft, one row each, under group titles.
class SettingRows : public ColumnScroll
{
    Q_OBJECT

public:
    explicit SettingRows(RunDraft& draft, QWidget* parent = nullptr);

    bool isEmpty() const { return m_groups.empty(); } ///< True until make().

    void make();
    void refresh(); ///< Updates from the draft.

    /// Shows the rows that match the words; without words the simple ones, or `all`. A row with an
    /// error is always shown. Returns the number shown.
    qsizetype showMatching(const QString& words, bool all);

    SettingRow* row(const QString& key) const; ///< Null before make().

private:
    using FieldRow = std::pair<const RunField*, SettingRow*>;

    struct Group
    {
        TextLabel* title = nullptr;
        std::vector<FieldRow> rows;
    };

    void addGroup(RunField::Group kind);
    FieldRow addRow(const RunField& field);

    RunDraft& m_draft;
    std::vector<Group> m_groups;
    QVBoxLayout* m_column;
};

} // namespace headscope::ui
