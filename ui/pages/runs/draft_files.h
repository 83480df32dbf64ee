#pragma once

#include "ui/session/runs/run_draft.h"

#include <functional>

class QWidget;

namespace headscope::ui {

/// The files that a draft comes from and goes to: a text to learn from, and configurations as
/// `headscope train` takes them. Asks for paths in dialogs over a page.
class DraftFiles : public QObject
{
    Q_OBJECT

public:
    DraftFiles(RunDraft& draft, QWidget* page);

    void chooseText();
    void openConfig();
    void saveConfig();

    void use(const QString& path); ///< a configuration or else a text, by its name
    void useText(const QString& path);
    void useConfig(const QString& path);

    const QString& problem() const { return m_problem; } ///< of the last file; one sentence, or ""

    void forgetProblem() { m_problem.clear(); }

signals:
    void tried(); ///< problem() is that of a new file
    void noTextChosen();
    void saved(const QString& path);

private:
    void attempt(const std::function<void()>& action);

    RunDraft& m_draft;
    QWidget* m_page;
    QString m_problem;
};

} // namespace headscope::ui
