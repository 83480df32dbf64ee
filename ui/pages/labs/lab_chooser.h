#pragma once

#include "core/lessons/labs/lab.h"

#include <QFrame>
#include <QWidget>

class QLineEdit;
class QListWidget;
class QPushButton;
class QToolButton;

namespace headscope::ui {

/// Labs on one subject, as the list groups them.
struct LabGroup
{
    QString title;
    std::vector<const Lab*> labs;
};

/// The catalogue in its order, one group per subject.
const std::vector<LabGroup>& labGroups();

/// Searchable popup list of all labs by group. Enter selects, Esc closes.
class LabList : public QFrame
{
    Q_OBJECT

public:
    explicit LabList(QWidget* parent = nullptr);

    void open(const QString& current); ///< Opens below its parent.

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

/// Button that opens the list, and buttons for the previous and next lab.
class LabChooser : public QWidget
{
    Q_OBJECT

public:
    explicit LabChooser(QWidget* parent = nullptr);

    void setCurrent(const QString& name);

    void step(int by); ///< Emitted to move to another lab, in the order of the catalogue.

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
