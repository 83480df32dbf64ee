#pragma once

#include "ui/workers/models/model_search.h"

#include <QObject>
#include <QStringList>

namespace headscope::ui {

class Session;
class Settings;
class WindowActions;

/// Actions that choose model and device and change B.
class ModelActions : public QObject
{
    Q_OBJECT

public:
    ModelActions(WindowActions& actions, Session& session, Settings& settings,
                 const QStringList& builtinModels);

    ModelSearch& models() { return m_models; } ///< Models found on this machine.

signals:
    void fileWanted(const QString& path);

private:
    void connectModels(const QStringList& builtinModels);
    void connectDevices();
    void connectPrecision();
    void connectChanges();
    void showPrecision();
    void setMask(bool none);
    void switchHead();
    void refresh();

    WindowActions& m_actions;
    Session& m_session;
    Settings& m_settings;
    ModelSearch m_models;
};

} // namespace headscope::ui
