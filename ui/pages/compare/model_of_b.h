#pragma once

#include "ui/session/session.h"

#include <QStringList>
#include <QWidget>

class QComboBox;
class QPushButton;

namespace headscope::ui {

/// The model that B runs: A's, a built-in one, a snapshot of their training runs, or a file.
class ModelOfB : public QWidget
{
    Q_OBJECT

public:
    explicit ModelOfB(Session& session, QWidget* parent = nullptr);

    void setNames(const QStringList& names); ///< offered besides snapshots and files
    void refresh();

private:
    void offer();
    void chooseTyped();
    void chooseFile();
    void choose(const QString& name);

    Session& m_session;
    QComboBox* m_box;
    QPushButton* m_file;
    QStringList m_names;
    QStringList m_snapshots;
};

} // namespace headscope::ui
