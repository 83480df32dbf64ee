#include "ui/window/actions/model_actions.h"

#include "ui/session/session.h"
#include "ui/session/settings.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/models/model_menu.h"

#include <QMenu>

namespace headscope::ui {

ModelActions::ModelActions(WindowActions& actions, Session& session, Settings& settings,
                           const QStringList& builtinModels)
    : QObject(&actions)
    , m_actions(actions)
    , m_session(session)
    , m_settings(settings)
{
    connectModels(builtinModels);
    connectDevices();
    connectPrecision();
    connectChanges();
    connect(&session, &Session::selectionChanged, this, &ModelActions::refresh);
    connect(&session, &Session::changesChanged, this, &ModelActions::refresh);
    connect(&session, &Session::modelChanged, this, &ModelActions::refresh);
    refresh();
}

void ModelActions::connectModels(const QStringList& builtinModels)
{
    for (const QString& name : builtinModels)
        m_actions.on("model." + name, this, [this, name] { m_session.models().open(name); });
    auto* installed = new ModelMenu(m_actions.menu("model.choose"),
                                    m_actions.action("model.installedEnd"), m_models);
    connect(installed, &ModelMenu::modelWanted, this, &ModelActions::fileWanted);
}

void ModelActions::connectDevices()
{
    m_actions.onChoice("device", this, [this](const QVariant& id) {
        m_settings.set(Setting::Device, id.toString());
        m_session.computation().setDevice(id.toString());
    });
    m_actions.menu("device").setToolTipsVisible(true);
    m_actions.setChosen("device", m_session.computation().device());
}

void ModelActions::connectPrecision()
{
    m_actions.onChoice("precision", this, [this](const QVariant& name) {
        m_settings.set(Setting::Precision, name.toString());
        m_session.setPrecision(*precisionNamed(name.toString().toStdString()));
    });
    m_actions.menu("precision").setToolTipsVisible(true);
    connect(&m_session, &Session::precisionChanged, this, &ModelActions::showPrecision);
    showPrecision();
}

void ModelActions::showPrecision()
{
    const std::string name(nameOf(m_session.models().precision()));
    m_actions.setChosen("precision", QString::fromStdString(name));
}

void ModelActions::connectChanges()
{
    m_actions.on("model.noMask", this, &ModelActions::setMask);
    m_actions.on("model.headOff", this, &ModelActions::switchHead);
    m_actions.on("model.asTrained", &m_session.document(), &SessionDocument::clearChanges);
}

void ModelActions::setMask(bool none)
{
    m_session.document().setMask({none ? MaskChange::Kind::None : MaskChange::Kind::AsTrained,
                                  m_session.changes().mask.window,
                                  {},
                                  0});
    m_session.view().setShownVariant(none ? Variant::B : Variant::A);
}

void ModelActions::switchHead()
{
    const HeadId head = m_session.view().activeHead();
    const bool off = m_session.changes().isOff(head);
    m_session.document().setHeadOff(head, !off);
    m_session.view().setShownVariant(off ? m_session.view().shownVariant() : Variant::B);
}

void ModelActions::refresh()
{
    const Selection& selection = m_session.selection();
    const Changes& changes = m_session.changes();
    const bool isOpen = m_session.model().model != nullptr;
    const bool off = changes.isOff(m_session.view().activeHead());
    m_actions.action("model.noMask").setEnabled(isOpen);
    m_actions.action("model.noMask").setChecked(changes.mask.kind == MaskChange::Kind::None);
    QAction& headOff = m_actions.action("model.headOff");
    headOff.setText((off ? tr("Restore &head %1.%2 in B") : tr("Ablate &head %1.%2 in B"))
                        .arg(selection.layer)
                        .arg(selection.head));
    headOff.setEnabled(isOpen);
    m_actions.action("model.asTrained").setEnabled(!changes.empty());
    m_actions.action("model.about").setEnabled(isOpen);
}

} // namespace headscope::ui
