#pragma once

#include "ui/session/runs/run_draft.h"

#include <functional>

class QWidget;

namespace headscope::ui {

/// Files of a draft: its training text, and configurations as `headscope train` accepts them. Asks
/// for paths in dialogs over a page.
class DraftFiles : public QObject
{
    Q_OBJECT

public:
    DraftFiles(RunDraft& draft, QWidget* page);

    void chooseText();
    void openConfig();
    void saveConfig();

    void use(const QString& path); ///< Opens a configuration or a text, by its extension.
    void useText(const QString& path);
    void useConfig(const QString& path);

    /// Problem of the last file, one sentence, or "".
    const QString& problem() const { return m_problem; }

    void forgetProblem() { m_problem.clear(); }

signals:
    void tried(); ///< Emitted when problem() is that of a new file.
    void noTextChosen();
    void saved(const QString& path);

private:
    void attempt(const std::function<void()>& action);

    RunDraft& m_draft;
    QWidget* m_page;
    QString m_problem;
};

} // namespace headscope::ui
