#pragma once

#include "core/analysis/difference/text_ranking.h"
#include "ui/workers/tasks/latest_task.h"

#include <QWidget>

class QProgressBar;
class QPushButton;

namespace headscope::ui {

class RankedTable;
class Session;
class TextLabel;

/// Finds the texts on which the predictions of A's and B's models differ most: of built-in sentences
/// or of a file's lines, computed on the CPU in the background.
class RankedTexts : public QWidget
{
    Q_OBJECT

public:
    explicit RankedTexts(Session& session, QWidget* parent = nullptr);

    void refresh(); ///< Follows the models: results of others are dropped.

    void rankBuiltin();
    void rankFile(const QString& path);
    bool cancel(); ///< Returns false when nothing is being computed.

    bool isRanking() const { return m_task.isRunning(); }

    RankedTable& table() const { return *m_table; }

    QString state() const;

signals:
    void textOpened(); ///< Emitted after a text has become the session's.

private:
    using ModelPair = std::pair<std::shared_ptr<const Model>, std::shared_ptr<const Model>>;
    using ReadTexts = std::function<std::vector<std::string>()>;

    QLayout* makeControls();
    void connectControls();
    ModelPair models() const;
    void chooseFile();
    void rank(ReadTexts read, const QString& source);
    void adopt(const std::vector<TextDifference>& results);
    void openText(int row);
    void refreshControls();
    void showResults();
    QString resultText() const;

    Session& m_session;
    QPushButton* m_builtin;
    QPushButton* m_file;
    QPushButton* m_open;
    QPushButton* m_cancel;
    QProgressBar* m_bar;
    TextLabel* m_state;
    RankedTable* m_table;
    ModelPair m_models; ///< Models of m_results, or of the ranking in progress.
    QString m_source;   ///< Where the texts are from.
    QString m_problem;  ///< Why the last ranking failed; empty otherwise.
    std::vector<TextDifference> m_results;
    double m_progress = 0.0;
    LatestTask m_task; // Declared last, so that its thread ends first.
};

} // namespace headscope::ui
