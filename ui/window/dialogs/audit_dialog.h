#pragma once

#include "ui/session/model_audit.h"

#include <QDialog>

class QGridLayout;
class QLineEdit;
class QVBoxLayout;

namespace headscope::ui {

class Session;
class TensorFilter;
class TensorTableModel;
class TextLabel;

/// Dialog "About this model": load warnings, facts and every tensor. Follows the open model.
class AuditDialog : public QDialog
{
    Q_OBJECT

public:
    AuditDialog(Session& session, QWidget* parent);

    QString text() const;    ///< Warnings, facts and tensors, one per line.
    QByteArray json() const; ///< Same contents as text(), as JSON.

private:
    void refresh();
    void refreshFacts();
    void refreshWarnings();
    void refreshCount();
    QWidget* makeFacts();
    void makeTensors(QVBoxLayout& column);
    void makeButtons(QVBoxLayout& column);

    Session& m_session;
    LoadAuditPtr m_audit;
    TextLabel* m_name;
    TextLabel* m_waiting;
    QVBoxLayout* m_warnings;
    QGridLayout* m_facts;
    TextLabel* m_count;
    QLineEdit* m_filter;
    TensorTableModel* m_model;
    TensorFilter* m_shown;
};

} // namespace headscope::ui
