#pragma once

#include "ui/session/session.h"
#include "ui/session/settings.h"

#include <QDialog>

class QComboBox;
class QFormLayout;

namespace headscope::ui {

/// Non-modal settings dialog. Changes take effect at once.
class SettingsDialog : public QDialog
{
    Q_OBJECT

public:
    /// The rows, to be translated: what the palette finds.
    static constexpr const char* kNames[] = {
        "Theme", "Reduced motion", "Colours of weights", "Scale of one head", "Device", "Language"};

    SettingsDialog(Session& session, Settings& settings, QWidget* parent);

    void focusRow(const QString& name); ///< a translated name

private:
    struct Choice
    {
        QString value;
        QString text;
    };

    void addAppearance(QFormLayout& form);
    void addComputing(QFormLayout& form);
    void addRest(QFormLayout& form);
    QComboBox* addChoice(QFormLayout& form, const QString& name, Setting setting,
                         const std::vector<Choice>& choices);
    void followSettings();

    Session& m_session;
    Settings& m_settings;
    std::vector<std::pair<Setting, QComboBox*>> m_boxes;
};

} // namespace headscope::ui
