#include "ui/window/dialogs/settings_dialog.h"

#include "ui/pages/shared/boxes.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/labels.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>

namespace headscope::ui {

namespace {

QString deviceName(const DeviceFacts& facts)
{
    const QString name = QString::fromStdString(facts.name);
    return facts.platform.empty()
               ? name
               : SettingsDialog::tr("%1 (%2)").arg(name, QString::fromStdString(facts.platform));
}

} // namespace

SettingsDialog::SettingsDialog(Session& session, Settings& settings, QWidget* parent)
    : QDialog(parent)
    , m_session(session)
    , m_settings(settings)
{
    setObjectName("settings");
    setWindowTitle(tr("Settings"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(24);
    form->setVerticalSpacing(8);
    addAppearance(*form);
    addComputing(*form);
    addRest(*form);
    auto* buttons = new QDialogButtonBox;
    QPushButton* close = buttons->addButton(tr("Close"), QDialogButtonBox::RejectRole);
    close->setDefault(true);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    columnOf(kStyleSpacing, {form, Placed::gap(16), buttons}, this)
        ->setContentsMargins(24, 24, 24, 24);
    setMinimumWidth(460);
    connect(&settings, &Settings::changed, this, &SettingsDialog::followSettings);
}

QComboBox* SettingsDialog::addChoice(QFormLayout& form, const QString& name, Setting setting,
                                     const std::vector<Choice>& choices)
{
    auto* box = new ChoiceBox;
    box->setPurpose(name);
    box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    for (const Choice& choice : choices)
        box->addItem(choice.text, choice.value);
    form.addRow(new TextLabel(name, TextRole::Body, TextLabel::Tone::Text2), box);
    m_boxes.emplace_back(setting, box);
    followSettings();
    connect(box, &QComboBox::activated, this,
            [this, box, setting] { m_settings.set(setting, box->currentData()); });
    return box;
}

void SettingsDialog::focusRow(const QString& name)
{
    for (const auto& [setting, box] : m_boxes) {
        if (box->accessibleName() == name)
            box->setFocus(Qt::OtherFocusReason);
    }
}

void SettingsDialog::followSettings()
{
    for (const auto& [setting, box] : m_boxes)
        box->setCurrentIndex(std::max(box->findData(m_settings.text(setting)), 0));
}

void SettingsDialog::addAppearance(QFormLayout& form)
{
    form.addRow(heading(tr("Appearance")));
    addChoice(form, tr("Theme"), Setting::Theme,
              {{"system", tr("Follow system")}, {"light", tr("Light")}, {"dark", tr("Dark")}});
    addChoice(form, tr("Reduced motion"), Setting::Motion,
              {{"system", tr("Follow system")}, {"reduced", tr("On")}, {"full", tr("Off")}});
    std::vector<Choice> maps;
    for (const MapName map :
         {MapName::Depth, MapName::Viridis, MapName::Cividis, MapName::Magma, MapName::Grey})
        maps.push_back({displayName(map), displayName(map)});
    QComboBox* colours = addChoice(form, tr("Attention colours"), Setting::ColourMap, maps);
    connect(colours, &QComboBox::activated, this,
            [this](int index) { m_session.view().setColourMap(static_cast<MapName>(index)); });
    addChoice(form, tr("Scale of head maps"), Setting::Scale,
              {{"absolute", tr("Fixed, 0 to 1")},
               {"head", tr("To each head\u2019s maximum")},
               {"row", tr("To each row\u2019s maximum")},
               {"log", tr("Logarithmic")},
               {"percentile", tr("Percentiles")}});
}

void SettingsDialog::addComputing(QFormLayout& form)
{
    form.addItem(new QSpacerItem(0, 8));
    form.addRow(heading(tr("Computation")));
    std::vector<Choice> devices{{"auto", tr("Automatic (faster device)")}};
    for (const BackendEntry& entry : m_session.registry().entries())
        devices.push_back({QString::fromStdString(entry.facts.id), deviceName(entry.facts)});
    QComboBox* box = addChoice(form, tr("Device"), Setting::Device, devices);
    connect(box, &QComboBox::activated, this,
            [this, box] { m_session.computation().setDevice(box->currentData().toString()); });
}

void SettingsDialog::addRest(QFormLayout& form)
{
    form.addItem(new QSpacerItem(0, 8));
    form.addRow(heading(tr("Language and files")));
    addChoice(form, tr("Language"), Setting::Language,
              {{"system", tr("Follow system")},
               {"en", QStringLiteral("English")},
               {"zh_CN", QString::fromUtf8("\xE7\xAE\x80\xE4\xBD\x93\xE4\xB8\xAD\xE6\x96\x87")}});
    auto* clear = new QPushButton(tr("Clear list"));
    clear->setAccessibleName(tr("Clear list of recent files"));
    const auto refresh = [this, clear] {
        clear->setEnabled(!m_settings.value(Setting::RecentFiles).toStringList().isEmpty());
    };
    connect(&m_settings, &Settings::changed, clear, refresh);
    connect(clear, &QPushButton::clicked, this,
            [this] { m_settings.set(Setting::RecentFiles, QStringList()); });
    refresh();
    form.addRow(new TextLabel(tr("Recent files"), TextRole::Body, TextLabel::Tone::Text2), clear);
}

} // namespace headscope::ui
