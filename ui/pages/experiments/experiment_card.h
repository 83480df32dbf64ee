#pragma once

#include <QWidget>

class QProgressBar;
class QPushButton;

namespace headscope::ui {

class ExperimentShelf;
class TextLabel;

/// Description of the selected experiment, its Train button, and its progress.
class ExperimentCard : public QWidget
{
    Q_OBJECT

public:
    explicit ExperimentCard(ExperimentShelf& shelf, QWidget* parent = nullptr);

    void refresh();
    void refreshProgress();

private:
    void refreshStart();

    ExperimentShelf& m_shelf;
    QPushButton* m_start;
    TextLabel* m_title;
    TextLabel* m_description;
    TextLabel* m_facts;
    QProgressBar* m_bar;
    TextLabel* m_progress;
};

} // namespace headscope::ui
