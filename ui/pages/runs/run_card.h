#pragma once

#include "ui/workers/training/run_reader.h"

#include <QTimer>
#include <QWidget>

class QPlainTextEdit;
class QPushButton;

namespace headscope::ui {

class ChoiceBox;
class FactTable;
class TextLabel;

/// Details of one run: facts, notes and actions; for two runs, the settings that differ.
class RunCard : public QWidget
{
    Q_OBJECT

public:
    explicit RunCard(QWidget* parent = nullptr);
    ~RunCard() override; ///< Saves notes that are being written.

    void showNone(int runs);
    void showRun(const RunEntry& run);
    void setSnapshots(const std::vector<SnapshotRecord>& snapshots);
    void showDifferences(const RunEntry& first, const RunEntry& second);
    void keepNotes(); ///< Saves the notes now; otherwise after a pause.

signals:
    void openWanted();
    void resumeWanted();
    void modelWanted(qint64 step); ///< Emitted to open that snapshot as the document's model.
    void forkWanted(qint64 step);
    void removeWanted();
    void notesChanged(const QString& path, const QString& notes);

private:
    QLayout* makeButtons();
    QWidget* makeRun();
    void setPage(QWidget* shown);
    void explainSeries();

    qint64 snapshot() const; ///< Step of the selected snapshot; -1: none.

    QString m_path;
    bool m_isSeries = false; ///< The run is a series of another program.
    std::vector<SnapshotRecord> m_known;
    QTimer m_pause;
    TextLabel* m_title;
    TextLabel* m_facts;
    QWidget* m_run = nullptr;
    QPlainTextEdit* m_notes = nullptr;
    ChoiceBox* m_snapshots = nullptr;
    QPushButton* m_open = nullptr;
    QPushButton* m_resume = nullptr;
    QPushButton* m_model = nullptr;
    QPushButton* m_fork = nullptr;
    QPushButton* m_remove = nullptr;
    FactTable* m_differences;
    TextLabel* m_same; ///< Replaces the table when nothing differs.
};

} // namespace headscope::ui
