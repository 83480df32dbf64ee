#pragma once

#include "core/train/files/training_config.h"
#include "ui/session/runs/run_fields.h"

#include <QObject>
#include <QUndoStack>

#include <map>
#include <nlohmann/json.hpp>

namespace headscope::ui {

/// Training configuration in progress: the user's input as text, and the configuration that the
/// core makes of it. Every edit can be undone; consecutive edits of one setting are one step.
class RunDraft : public QObject
{
    Q_OBJECT

public:
    explicit RunDraft(QUndoStack& undo, QObject* parent = nullptr);

    /// Last valid configuration.
    const TrainingConfig& config() const { return m_config; }

    bool isValid() const { return m_error.isEmpty(); }

    /// Error of the core's parser, as one sentence.
    const QString& error() const { return m_error; }

    /// Key of the field that the error belongs to.
    const QString& errorKey() const { return m_state.errorKey; }

    QString text(const QString& key) const; ///< Text as entered, else the core's default.
    bool isGiven(const QString& key) const; ///< True when the user set the value.

    /// Sets a value; an empty text restores the default.
    void set(const QString& key, const QString& text);

    /// Sets another task or file as one undo step. `name` is for the run's folder.
    void adopt(const TrainingConfig& config, const QString& name);

    /// Adopts a configuration without undo.
    void begin(const TrainingConfig& config, const QString& name);

    const QString& name() const { return m_state.name; }

    nlohmann::json configJson() const;    ///< Entered values in the format of `headscope train`.
    void load(const QString& path);       ///< Loads a configuration; throws Error.
    void save(const QString& path) const; ///< Saves the configuration; throws Error.

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
    nlohmann::json m_resolved; ///< All values of m_config.
    QString m_error;
};

} // namespace headscope::ui
