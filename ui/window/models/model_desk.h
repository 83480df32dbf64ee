#pragma once

#include <QObject>

class QWidget;

namespace headscope::ui {

class MessageBar;
class ModelSearch;
class Session;
class WindowActions;

/// What is known about the weights that were opened, and how to get others.
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
    QString m_auditSentence; ///< what the messages said of the weights
};

} // namespace headscope::ui
