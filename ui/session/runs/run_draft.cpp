#include "ui/session/runs/run_draft.h"

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "ui/workers/error_sentence.h"

#include <QLocale>
#include <QUndoCommand>

#include <cmath>

namespace headscope::ui {

namespace {

using nlohmann::json;

constexpr std::uint64_t kLargestFile = 1 << 20;
constexpr double kLargestWhole = 9007199254740992.0; // 2^53

json numberOf(const QString& text, bool isWhole)
{
    QString digits = text;
    digits.remove(QChar(0x202F)).remove(QChar(0x00A0)).remove(QLatin1Char(' '));
    digits.replace(QChar(0x2212), QLatin1Char('-'));
    bool ok = false;
    if (const auto natural = digits.toULongLong(&ok); ok)
        return static_cast<std::uint64_t>(natural);
    if (const auto whole = digits.toLongLong(&ok); ok)
        return static_cast<std::int64_t>(whole);
    const double value = digits.toDouble(&ok);
    if (!ok || !std::isfinite(value))
        return text.toStdString(); // the core reports the error
    if (isWhole && value == std::floor(value) && value >= 0.0 && value < kLargestWhole)
        return static_cast<std::uint64_t>(value);
    return value;
}

json valueOf(const RunField& field, const QString& text)
{
    const QString plain = text.trimmed();
    if (plain == QLatin1String("none") && field.key != QLatin1String("data.task") &&
        field.key != QLatin1String("model.positions") &&
        !field.key.endsWith(QLatin1String("scaling.kind")))
        return nullptr;
    const bool isFlag =
        field.kind == RunField::Kind::Switch || field.choices.contains(QLatin1String("true"));
    if (isFlag && (plain == QLatin1String("true") || plain == QLatin1String("false")))
        return plain == QLatin1String("true");
    if (field.kind == RunField::Kind::Whole || field.kind == RunField::Kind::Number)
        return numberOf(plain, field.kind == RunField::Kind::Whole);
    return plain.toStdString();
}

QString textOf(const json& value)
{
    if (value.is_null())
        return QStringLiteral("none");
    if (value.is_string())
        return QString::fromStdString(value.get<std::string>());
    if (value.is_number_float())
        return QString::number(value.get<double>(), 'g', QLocale::FloatingPointShortest);
    return QString::fromStdString(value.dump());
}

const json* find(const json& object, const QString& key)
{
    const json* at = &object;
    for (const QString& part : key.split(QLatin1Char('.'))) {
        const auto found = at->is_object() ? at->find(part.toStdString()) : at->end();
        if (!at->is_object() || found == at->end())
            return nullptr;
        at = &*found;
    }
    return at;
}

void flatten(const json& value, const QString& key, std::map<QString, QString>& texts)
{
    if (!value.is_object()) {
        texts[key] = textOf(value);
        return;
    }
    for (const auto& [name, part] : value.items()) {
        const QString inner = QString::fromStdString(name);
        flatten(part, key.isEmpty() ? inner : key + QLatin1Char('.') + inner, texts);
    }
}

} // namespace

class DraftCommand : public QUndoCommand
{
public:
    DraftCommand(RunDraft& draft, RunDraft::State after, const QString& key, const QString& words)
        : QUndoCommand(words)
        , m_draft(draft)
        , m_before(draft.m_state)
        , m_after(std::move(after))
        , m_key(key)
    {
    }

    void undo() override { m_draft.apply(m_before); }

    void redo() override { m_draft.apply(m_after); }

    int id() const override { return 71; }

    bool mergeWith(const QUndoCommand* other) override
    {
        const auto* next = dynamic_cast<const DraftCommand*>(other);
        if (!next || &next->m_draft != &m_draft || m_key.isEmpty() || next->m_key != m_key)
            return false;
        m_after = next->m_after;
        return true;
    }

private:
    RunDraft& m_draft;
    RunDraft::State m_before;
    RunDraft::State m_after;
    QString m_key;
};

RunDraft::RunDraft(QUndoStack& undo, QObject* parent)
    : QObject(parent)
    , m_undo(undo)
    , m_resolved(toJson(m_config))
{
}

json RunDraft::jsonOf(const Texts& texts)
{
    json object = json::object();
    for (const auto& [key, text] : texts) {
        json* at = &object;
        for (const QString& part : key.split(QLatin1Char('.')))
            at = &(*at)[part.toStdString()];
        const RunField* field = runField(key);
        *at = field ? valueOf(*field, text) : json(text.toStdString());
    }
    return object;
}

/// Error of the core's parser, without the location, as the form shows it.
QString RunDraft::errorOf(const Texts& texts, TrainingConfig* config)
{
    try {
        TrainingConfig parsed = trainingConfigFromJson(jsonOf(texts), {});
        if (config)
            *config = std::move(parsed);
        return {};
    } catch (const Error& error) {
        return tr("%1.").arg(errorSentence(Error(error.problem(), {}, error.advice())));
    }
}

QString RunDraft::text(const QString& key) const
{
    if (const auto given = m_state.given.find(key); given != m_state.given.end())
        return given->second;
    if (const json* value = find(m_resolved, key))
        return textOf(*value);
    const RunField* field = runField(key);
    return field ? field->absent : QString();
}

bool RunDraft::isGiven(const QString& key) const
{
    return m_state.given.count(key) > 0;
}

void RunDraft::set(const QString& key, const QString& text)
{
    if (text == RunDraft::text(key) && (isGiven(key) || text.isEmpty()))
        return;
    State state = m_state;
    const RunField* field = runField(key);
    const bool isLeftOut = field && field->kind == RunField::Kind::Choice && text == field->absent;
    if (text.trimmed().isEmpty() || isLeftOut)
        state.given.erase(key);
    else
        state.given[key] = text;
    const bool isBad = !errorOf(state.given, nullptr).isEmpty();
    const bool wasBad = !m_error.isEmpty() && m_state.errorKey != key;
    if (!isBad)
        state.errorKey.clear();
    else if (!wasBad) // keep the error of another field
        state.errorKey = key;
    push(state, key, tr("change %1").arg(field ? field->label.toLower() : key));
}

/// Only values that differ from the core's defaults, so that dependent values still follow a
/// changed width.
RunDraft::Texts RunDraft::sparse(const json& whole)
{
    Texts texts;
    flatten(whole, {}, texts);
    TrainingConfig config;
    if (!errorOf(texts, &config).isEmpty())
        return texts;
    const json wanted = toJson(config);
    const Texts all = texts;
    for (const auto& [key, text] : all) {
        Texts fewer = texts;
        fewer.erase(key);
        TrainingConfig parsed;
        if (errorOf(fewer, &parsed).isEmpty() && toJson(parsed) == wanted)
            texts = std::move(fewer);
    }
    return texts;
}

void RunDraft::adopt(const TrainingConfig& config, const QString& name)
{
    push({sparse(toJson(config)), name, {}}, {}, tr("choose %1").arg(name));
}

void RunDraft::begin(const TrainingConfig& config, const QString& name)
{
    apply({sparse(toJson(config)), name, {}});
}

json RunDraft::configJson() const
{
    return jsonOf(m_state.given);
}

void RunDraft::load(const QString& path)
{
    const std::filesystem::path file = path.toStdString();
    const TrainingConfig config = loadTrainingConfig(file); // throws for an invalid configuration
    Texts texts;
    flatten(parseJson(readFile(file, kLargestFile), file.string()), {}, texts);
    for (const auto& [key, resolved] : {std::pair{QString("data.text"), config.data.text},
                                        {QString("data.batches"), config.data.batches},
                                        {QString("data.tokenizer"), config.data.tokenizer}})
        if (!resolved.empty())
            texts[key] = QString::fromStdString(resolved);
    push({texts, QString::fromStdString(file.stem().string()), {}}, {},
         tr("choose %1").arg(QString::fromStdString(file.filename().string())));
}

void RunDraft::save(const QString& path) const
{
    if (!isValid())
        throw Error("the configuration is not complete", m_state.errorKey.toStdString(),
                    "Correct that setting first");
    writeAtomically(path.toStdString(), configJson().dump(2) + "\n");
}

void RunDraft::push(const State& state, const QString& key, const QString& words)
{
    if (state != m_state)
        m_undo.push(new DraftCommand(*this, state, key, words));
}

void RunDraft::apply(const State& state)
{
    m_state = state;
    TrainingConfig config;
    m_error = errorOf(state.given, &config);
    if (m_error.isEmpty()) {
        m_config = std::move(config);
        m_resolved = toJson(m_config);
    }
    emit changed();
}

} // namespace headscope::ui
