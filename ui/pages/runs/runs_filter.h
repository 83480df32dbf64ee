#pragma once

#include <QWidget>

class QLineEdit;
class QPushButton;

namespace headscope::ui {

class ChoiceBox;
class TextLabel;

/// Controls above the table of runs: text filter, folder filter, count, and buttons to add runs.
class RunsFilter : public QWidget
{
    Q_OBJECT

public:
    explicit RunsFilter(QWidget* parent = nullptr);

    void setFolders(const QStringList& folders);
    void setText(const QString& text);
    void setProgress(int done, int of);
    void setCounts(qsizetype shown, qsizetype all);
    bool clear(); ///< Returns false when there was no filter.

signals:
    void changed(const QString& text);
    void newRunWanted();
    void folderOpened(const QString& folder);

private:
    void chooseFolder();
    void connectParts(QPushButton* begin);

    QLineEdit* m_field;
    TextLabel* m_count;
    ChoiceBox* m_folder;
    QPushButton* m_openFolder;
};

} // namespace headscope::ui
