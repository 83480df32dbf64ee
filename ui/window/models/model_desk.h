#pragma once

#include <QObject>

class QWidget;

namespace headscope::ui {

class MessageBar;
class ModelSearch;
class Session;
class WindowActions;

/// Shows the load audit of the open model, and opens others.
class ModelDesk : public QObject
{
    Q_OBJECT

public:
    ModelDesk(QWidget& window, Session& session, WindowActions& actions, MessageBar& messages,
              ModelSearch& models);

signals:
    void fileWanted(const QString& path);

private:
    bool isAboutAudit() const;
    void followModel();
    void warnOfAudit();
    void showAudit();
    void showModelList();

    QWidget& m_window;
    Session& m_session;
    MessageBar& m_messages;
    ModelSearch& m_models;
    QString m_auditSentence; ///< Load-audit sentence currently among the messages.
};

} // namespace headscope::ui
