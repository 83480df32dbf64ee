#include "ui/session/session_file.h"

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "ui/session/changes/changes_json.h"
#include "ui/session/changes/json_object.h"
#include "ui/session/chat/chat_json.h"

#include <QCoreApplication>
#include <QJsonDocument>

namespace headscope::ui {

namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr int kVersion = 1;
constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 26;
constexpr int kMostTokens = 1 << 20;
constexpr const char* kFormat = "headscope-session";

constexpr std::pair<const char*, Variant> kVariants[] = {
    {"a", Variant::A}, {"b", Variant::B}, {"difference", Variant::Difference}};
constexpr std::pair<const char*, AttentionKind> kParts[] = {{"self", AttentionKind::Self},
                                                            {"encoder", AttentionKind::EncoderSelf},
                                                            {"decoder", AttentionKind::DecoderSelf},
                                                            {"cross", AttentionKind::Cross}};
constexpr std::pair<const char*, MapName> kMaps[] = {
    {"depth", MapName::Depth}, {"viridis", MapName::Viridis}, {"cividis", MapName::Cividis},
    {"magma", MapName::Magma}, {"grey", MapName::Grey},       {"balance", MapName::Balance}};
constexpr std::pair<const char*, TokenDisplay::Grouping> kGroupings[] = {
    {"pieces", TokenDisplay::Grouping::Pieces},
    {"word-sum", TokenDisplay::Grouping::WordSum},
    {"word-mean", TokenDisplay::Grouping::WordMean}};

OrderedJson jsonOf(const Selection& selection)
{
    return {{"part", nameIn(kParts, selection.part)},
            {"layer", selection.layer},
            {"head", selection.head},
            {"query", selection.query},
            {"key", selection.key},
            {"pinned", selection.pinned}};
}

OrderedJson jsonOf(const TokenDisplay& display)
{
    return {{"grouping", nameIn(kGroupings, display.grouping)},
            {"hide_special", display.hideSpecial},
            {"hide_first", display.hideFirst},
            {"fold_template", display.foldTemplate},
            {"show_ids", display.showIds}};
}

Selection selectionFrom(const Json& value, const std::string& where)
{
    const JsonObject object(value, where, {"part", "layer", "head", "query", "key", "pinned"});
    Selection selection;
    selection.part = object.choice("part", kParts, selection.part);
    selection.layer = object.number("layer", 0, 0, kMostTokens);
    selection.head = object.number("head", 0, 0, kMostTokens);
    selection.query = object.number("query", -1, -1, kMostTokens);
    selection.key = object.number("key", -1, -1, kMostTokens);
    selection.pinned = object.flag("pinned", false);
    return selection;
}

TokenDisplay displayFrom(const Json& value, const std::string& where)
{
    const JsonObject object(
        value, where, {"grouping", "hide_special", "hide_first", "fold_template", "show_ids"});
    TokenDisplay display;
    display.grouping = object.choice("grouping", kGroupings, display.grouping);
    display.hideSpecial = object.flag("hide_special", false);
    display.hideFirst = object.flag("hide_first", false);       // missing in older files
    display.foldTemplate = object.flag("fold_template", false); // missing in older files
    display.showIds = object.flag("show_ids", false);
    return display;
}

/// Options of the pages, each an object that the page interprets.
QJsonObject pagesFrom(const JsonObject& object)
{
    const Json& pages = object.need("pages");
    const bool allObjects =
        pages.is_object() &&
        std::all_of(pages.begin(), pages.end(), [](const Json& page) { return page.is_object(); });
    if (!allObjects)
        object.complain("pages", "an object of options for each page");
    return QJsonDocument::fromJson(QByteArray::fromStdString(pages.dump())).object();
}

void checkFormat(const JsonObject& object)
{
    if (object.text("format") != QLatin1String(kFormat))
        object.complain("format", std::string("\"") + kFormat + '"');
    if (object.number("version", 0, 0) != kVersion)
        throw FormatError("unsupported session version", object.place("version"), std::nullopt,
                          "Open it with a newer Headscope");
}

/// Name "builtin:NAME" or an existing file; otherwise a file of the same name next to the session.
QString findModel(const QString& model, const fs::path& session)
{
    std::error_code error;
    const fs::path stored = model.toStdString();
    if (model.isEmpty() || model.startsWith(QLatin1String("builtin:")) || fs::exists(stored, error))
        return model;
    const fs::path beside = session.parent_path() / stored.filename();
    return fs::exists(beside, error) ? QString::fromStdString(beside.string()) : model;
}

/// Path of a checkpoint after the folder of its series was moved.
QString moved(const QString& checkpoint, const QString& from, const QString& to)
{
    const fs::path inside =
        fs::path(checkpoint.toStdString()).lexically_relative(from.toStdString());
    if (from == to || inside.empty() || *inside.begin() == "..")
        return checkpoint;
    return QString::fromStdString((fs::path(to.toStdString()) / inside).string());
}

} // namespace

QByteArray sessionJson(const SessionState& state)
{
    OrderedJson json{
        {"format", kFormat},
        {"version", kVersion},
        {"program",
         ("Headscope " + QCoreApplication::applicationVersion()).trimmed().toStdString()},
        {"model", state.model.toStdString()},
        {"text", state.text.toStdString()},
    };
    if (!state.series.isEmpty())
        json["series"] = state.series.toStdString();
    if (!state.target.isEmpty())
        json["target"] = state.target.toStdString();
    if (state.chat != Chat())
        json["chat"] = toJson(state.chat);
    if (!state.changes.empty())
        json["changes"] = toJson(state.changes);
    json["selection"] = jsonOf(state.selection);
    json["shown"] = nameIn(kVariants, state.shown);
    json["colours"] = nameIn(kMaps, state.colourMap);
    json["tokens"] = jsonOf(state.display);
    json["device"] = state.device.toStdString();
    if (state.precision != SessionState().precision)
        json["precision"] = state.precision.toStdString();
    json["page"] = state.page.toStdString();
    json["pages"] =
        OrderedJson::parse(QJsonDocument(state.pages).toJson(QJsonDocument::Compact).toStdString());
    constexpr bool kAscii = true;
    return QByteArray::fromStdString(
        json.dump(1, ' ', kAscii, OrderedJson::error_handler_t::replace) + "\n");
}

SessionState parseSession(const QByteArray& json, const fs::path& path)
{
    const Json value = parseJson(
        std::string_view(json.constData(), static_cast<std::size_t>(json.size())), path.string());
    const JsonObject object(value, path.string(),
                            {"format", "version", "program", "model", "series", "text", "target",
                             "chat", "changes", "selection", "shown", "colours", "tokens", "device",
                             "precision", "page", "pages"});
    checkFormat(object);
    SessionState state;
    const QString series = object.text("series", QString());
    state.series = findModel(series, path);
    state.model = findModel(moved(object.text("model"), series, state.series), path);
    state.text = object.text("text");
    state.target = object.text("target");
    if (const Json* chat = object.find("chat"))
        state.chat = chatFromJson(*chat, object.place("chat"));
    if (const Json* changes = object.find("changes"))
        state.changes = changesFromJson(*changes, object.place("changes"));
    state.changes.model = findModel(state.changes.model, path);
    if (const Json* selection = object.find("selection"))
        state.selection = selectionFrom(*selection, object.place("selection"));
    state.shown = object.choice("shown", kVariants, state.shown);
    state.colourMap = object.choice("colours", kMaps, state.colourMap);
    if (const Json* tokens = object.find("tokens"))
        state.display = displayFrom(*tokens, object.place("tokens"));
    state.device = object.text("device", state.device);
    state.precision = object.text("precision", state.precision);
    if (!precisionNamed(state.precision.toStdString()))
        object.complain("precision", "\"f32\", \"f16\" or \"bf16\"");
    state.page = object.text("page");
    if (object.find("pages"))
        state.pages = pagesFrom(object);
    return state;
}

void saveSession(const SessionState& state, const fs::path& path)
{
    const QByteArray json = sessionJson(state);
    writeAtomically(path,
                    std::string_view(json.constData(), static_cast<std::size_t>(json.size())));
}

SessionState loadSession(const fs::path& path)
{
    return parseSession(QByteArray::fromStdString(readFile(path, kLargestFile)), path);
}

} // namespace headscope::ui
