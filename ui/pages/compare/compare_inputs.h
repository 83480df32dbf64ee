#pragma once

#include <QStringList>
#include <QTimer>
#include <QWidget>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace headscope::ui {

class Session;
class TextLabel;

/// What B reads, and which model reads it: the same as A's while a field is empty.
class CompareInputs : public QWidget
{
    Q_OBJECT

public:
    explicit CompareInputs(Session& session, QWidget* parent = nullptr);

    void setModelNames(const QStringList& names); ///< To choose from, besides files.

    QLineEdit& sentence() const { return *m_sentence; }

    QLineEdit& target() const { return *m_target; }

    QComboBox& modelChoice() const { return *m_model; }

    void refresh();

    /// A field that loses the focus while its window is destroyed must not ask for a new B.
    void disconnectFields();

private:
    void setUpFields();
    void setUpModel();
    void connectFields();
    void connectModel();
    void chooseTexts();
    void chooseFile();
    void chooseModel(const QString& name);
    void refreshFields();
    void refreshModels();
    QStringList snapshots() const;
    static QString snapshotName(const QString& path);

    Session& m_session;
    QTimer m_pause;
    QLineEdit* m_sentence;
    TextLabel* m_targetTitle;
    QLineEdit* m_target; ///< Hidden unless the model writes one.
    QComboBox* m_model;
    QPushButton* m_file;
    QStringList m_names; ///< Offered, besides snapshots.
    QStringList m_snapshots;
};

} // namespace headscope::ui
