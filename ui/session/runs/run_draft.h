#pragma once

#include "core/train/files/training_config.h"
#include "ui/session/runs/run_fields.h"

#include <QObject>
#include <QUndoStack>

#include <map>
#include <nlohmann/json.hpp>

namespace headscope::ui {

/// A training configuration that is being written: what the person gave, as text, and what the
/// core makes of it. Every edit can be undone; edits of one setting in a row are one step.
class RunDraft : public QObject
{
    Q_OBJECT

public:
    explicit RunDraft(QUndoStack& undo, QObject* parent = nullptr);

    /// The last that was valid.
    const TrainingConfig& config() const { return m_config; }

    bool isValid() const { return m_error.isEmpty(); }

    const QString& error() const { return m_error; } ///< one sentence of the core's parser

    const QString& errorKey() const { return m_state.errorKey; } ///< whose field it belongs to

    QString text(const QString& key) const; ///< as it was given, else what the core takes
    bool isGiven(const QString& key) const; ///< not left to the defaults

    void set(const QString& key, const QString& text); ///< an empty one goes back to the default

    /// Another task or file: one undo step. `name` is for the run's folder.
    void adopt(const TrainingConfig& config, const QString& name);

    void begin(const TrainingConfig& config, const QString& name); ///< adopts it without undo

    const QString& name() const { return m_state.name; }

    nlohmann::json configJson() const;    ///< what was given, as `headscope train` takes it
    void load(const QString& path);       ///< throws Error
    void save(const QString& path) const; ///< throws Error

signals:
    void changed();

private:
    friend class DraftCommand;

    using Texts = std::map<QString, QString>;

    struct State
    {
        Texts given;
        QString name;
        QString errorKey;

        friend bool operator==(const State&, const State&) = default;
    };

    static nlohmann::json jsonOf(const Texts& texts);
    static QString errorOf(const Texts& texts, TrainingConfig* config);
    void push(const State& state, const QString& key, const QString& words);
    void apply(const State& state);
    static Texts sparse(const nlohmann::json& json);

    QUndoStack& m_undo;
    State m_state;
    TrainingConfig m_config;
    nlohmann::json m_resolved; ///< all of m_config
    QString m_error;
};

} // namespace headscope::ui
