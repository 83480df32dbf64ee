#pragma once

#include "core/lessons/labs/lab.h"

#include <QFrame>
#include <QStringList>
#include <QWidget>

class QLineEdit;
class QListWidget;
class QPushButton;
class QToolButton;

namespace headscope::ui {

/// Labs that are about the same, as the list shows them.
struct LabGroup
{
    QString title;
    std::vector<const Lab*> labs;
};

/// The catalogue in its order, a group for each subject.
const std::vector<LabGroup>& labGroups();

/// All labs under the names of their groups, found by typing. A popup: Enter chooses, Esc closes.
class LabList : public QFrame
{
    Q_OBJECT

public:
    explicit LabList(QWidget* parent = nullptr);

    void open(const QString& current); ///< below its parent

    QStringList shown() const; ///< names of the labs that match

    QLineEdit& field() { return *m_field; }

    QListWidget& list() { return *m_list; }

signals:
    void chosen(const QString& name);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void step(int by);
    void accept();

    QLineEdit* m_field;
    QListWidget* m_list;
};

/// The button that opens the list, and those for the lab before and after.
class LabChooser : public QWidget
{
    Q_OBJECT

public:
    explicit LabChooser(QWidget* parent = nullptr);

    void setCurrent(const QString& name);

    LabList& list() { return *m_list; }

    QPushButton& button() { return *m_button; }

    void step(int by); ///< to another lab, in the order of the catalogue

signals:
    void chosen(const QString& name);

private:
    int place() const;

    QString m_current;
    QToolButton* m_before;
    QPushButton* m_button;
    QToolButton* m_after;
    LabList* m_list;
};

} // namespace headscope::ui
