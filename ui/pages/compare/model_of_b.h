#pragma once

#include "ui/session/session.h"

#include <QStringList>
#include <QWidget>

class QComboBox;
class QPushButton;

namespace headscope::ui {

/// Model of variant B: A's, a built-in one, a snapshot of their training runs, or a file, with LoRA
/// adapters.
class ModelOfB : public QWidget
{
    Q_OBJECT

public:
    explicit ModelOfB(Session& session, QWidget* parent = nullptr);

    /// Built-in models offered besides snapshots and files.
    void setNames(const QStringList& names);
    void refresh();

    /// Adds an adapter to B's weights: a folder that PEFT saved, a file in it, or a GGUF file.
    void addAdapter(const QString& path);

private:
    void offer();
    void chooseTyped();
    void chooseFile();
    void choose(const QString& name);
    void chooseAdapter();
    QString folderOfModels() const;

    Session& m_session;
    QComboBox* m_box;
    QPushButton* m_file;
    QPushButton* m_adapter;
    QStringList m_names;
    QStringList m_snapshots;
};

} // namespace headscope::ui
