#include "app/chat_source.h"
#include "app/commands/command.h"
#include "app/console.h"
#include "app/model_source.h"
#include "app/weight_edits.h"
#include "app/window/view_snapshot_source.h"
#include "app/window/window_command.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/model/config/mask_choice.h"
#include "core/model/edits/edited_model.h"
#include "core/model/positions/position_encodings.h"
#include "ui/pages/shared/figures/figure_file.h"
#include "ui/window/dialogs/figures.h"

#include <QApplication>
#include <QJsonArray>
#include <QJsonDocument>

#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>

namespace headscope::app {

namespace {

struct RenderOptions
{
    std::string model;
    std::string modelB;
    std::string device = "auto";
    std::string text;
    std::string chat; ///< Empty: a text.
    std::vector<std::string> edits;
    std::string textB;
    std::string target;
    std::string targetB;
    std::string trace;
    std::string session;
    std::string view = "head";
    std::vector<std::string> viewOptions;
    std::optional<std::string> mask; ///< None: the model's own.
    std::optional<std::string> positions;
    std::string ablate;
    std::string run;
    std::string part;
    std::string theme = "light";
    std::string colours;
    std::string size;
    std::string output;
    std::string numbers;
    int layer = 0;
    int head = 0;
    int query = -1;
    int key = -1;
    double scale = 1.0;
    bool caption = false;
};

const std::map<std::string, ui::Variant> kVariants{
    {"a", ui::Variant::A}, {"b", ui::Variant::B}, {"difference", ui::Variant::Difference}};
const std::map<std::string, AttentionKind> kParts{{"self", AttentionKind::Self},
                                                  {"encoder", AttentionKind::EncoderSelf},
                                                  {"decoder", AttentionKind::DecoderSelf},
                                                  {"cross", AttentionKind::Cross}};
const std::map<std::string, ui::MapName> kMaps{{"depth", ui::MapName::Depth},
                                               {"viridis", ui::MapName::Viridis},
                                               {"cividis", ui::MapName::Cividis},
                                               {"magma", ui::MapName::Magma},
                                               {"grey", ui::MapName::Grey}};

template<class Value>
std::vector<std::string> namesOf(const std::map<std::string, Value>& table)
{
    std::vector<std::string> names;
    for (const auto& [name, value] : table)
        names.push_back(name);
    return names;
}

ui::MaskChange maskOf(const std::string& choice)
{
    const MaskChoice mask = MaskChoice::parse(choice);
    ui::MaskChange change;
    switch (mask.kind) {
    case MaskChoice::Kind::Causal:
        change.kind = ui::MaskChange::Kind::Causal;
        break;
    case MaskChoice::Kind::None:
        change.kind = ui::MaskChange::Kind::None;
        break;
    case MaskChoice::Kind::Window:
        change.kind = ui::MaskChange::Kind::Window;
        change.window = static_cast<int>(mask.window);
        break;
    case MaskChoice::Kind::Painted:
        change.kind = ui::MaskChange::Kind::Painted;
        change.cells = mask.cells;
        change.side = static_cast<int>(mask.side);
        break;
    }
    return change;
}

/// Applies the options for B from the command line, over those of a session file.
void addChanges(const CLI::App& command, const RenderOptions& options, ui::Changes& changes)
{
    if (command.count("--model-b") != 0)
        changes.model = QString::fromStdString(options.modelB);
    if (command.count("--text-b") != 0)
        changes.text = QString::fromStdString(options.textB);
    if (command.count("--target-b") != 0)
        changes.target = QString::fromStdString(options.targetB);
    if (options.mask)
        changes.mask = maskOf(*options.mask);
    if (options.positions)
        changes.positions = parsePositions(*options.positions);
    for (WeightEdit& edit : parseEdits(options.edits))
        changes.weights.push_back(std::move(edit));
    for (const HeadId& head : parseHeads(options.ablate))
        if (!changes.isOff(head))
            changes.headsOff.push_back({head, ui::HeadOff::Method::Zero});
}

void addSelection(const CLI::App& command, const RenderOptions& options, ui::Selection& selection)
{
    if (command.count("--part") != 0)
        selection.part = kParts.at(options.part);
    if (command.count("--layer") != 0)
        selection.layer = options.layer;
    if (command.count("--head") != 0)
        selection.head = options.head;
    if (command.count("--query") + command.count("--key") == 0)
        return;
    selection.query = options.query;
    selection.key = options.key;
    selection.pinned = true;
}

ui::SessionState stateFrom(const CLI::App& command, const RenderOptions& options)
{
    ui::SessionState state;
    if (!options.session.empty())
        state = ui::openSession(options.session);
    if (options.session.empty() || command.count("--model") != 0) {
        state.model =
            QString::fromStdString(options.model.empty() ? builtinModels().front() : options.model);
        state.series.clear();
    }
    if (options.session.empty() || command.count("--device") != 0)
        state.device = QString::fromStdString(options.device);
    if (command.count("--text") != 0)
        state.text = QString::fromStdString(options.text);
    if (command.count("--text") != 0 || !options.chat.empty())
        state.chat = {};
    if (!options.chat.empty())
        state.text =
            QString::fromStdString(chatAsText(options.chat, openModel(state.model.toStdString())));
    if (command.count("--target") != 0)
        state.target = QString::fromStdString(options.target);
    if (command.count("--colours") != 0)
        state.colourMap = kMaps.at(options.colours);
    addChanges(command, options, state.changes);
    addSelection(command, options, state.selection);
    if (command.count("--run") != 0)
        state.shown = kVariants.at(options.run);
    else if (options.session.empty())
        state.shown = state.changes.empty() ? ui::Variant::A : ui::Variant::B;
    return state;
}

// ------------------------------------------------------------------------------- the view's
// options

QJsonValue valueOf(const std::string& text)
{
    const QJsonDocument document =
        QJsonDocument::fromJson('[' + QByteArray::fromStdString(text) + ']');
    const QJsonArray one = document.array();
    return one.size() == 1 ? one.first() : QJsonValue(QString::fromStdString(text));
}

/// Adds an option such as {"mass": 0.9} or mass=0.9 to those already set.
void addViewOption(QJsonObject& options, const std::string& text)
{
    const std::size_t equals = text.find('=');
    if (text.starts_with('{')) {
        parseJson(text, "--options");
        const QJsonObject more = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
        for (auto entry = more.begin(); entry != more.end(); ++entry)
            options.insert(entry.key(), entry.value());
    } else if (equals != std::string::npos && equals != 0) {
        options.insert(QString::fromStdString(text.substr(0, equals)),
                       valueOf(text.substr(equals + 1)));
    } else {
        throw Error(inQuotes(text) + " is not an option of a view", "--options",
                    "Write NAME=VALUE or {\"NAME\": VALUE}");
    }
}

/// Name of a page in session files: "grid" is the plot of the overview.
QString pageOf(const std::string& view)
{
    return view == "grid" ? QStringLiteral("overview") : QString::fromStdString(view);
}

// -------------------------------------------------------------------------------------- the plot

/// Sites beyond those of every view.
std::vector<std::string> sitesOf(const std::string& view)
{
    return view == "origin" ? std::vector<std::string>{"*"} : std::vector<std::string>();
}

void requireHead(const ui::ViewSnapshot& viewed, const ui::Selection& wanted)
{
    const Trace& trace = *viewed.trace();
    const int layers = trace.layerCount(wanted.part);
    const int heads = trace.headCount(wanted.part);
    if (layers == 0 || heads == 0)
        throw Error("the trace contains no patterns of this kind", "headscope render",
                    "Request blocks.*.attn.hook_pattern, or choose other attention with --part");
    if (wanted.layer >= layers || wanted.head >= heads)
        throw Error(fmt::format("there is no head L{}H{} among {} layers of {} heads", wanted.layer,
                                wanted.head, layers, heads),
                    "headscope render", "Choose others with --layer and --head");
}

void requireVariant(const ui::ViewSnapshot& viewed, ui::Variant wanted)
{
    if (wanted != ui::Variant::A && !viewed.b)
        throw Error("there is no variant B to show", "--run",
                    "Change something: --mask, --positions, --ablate, --text-b or --model-b");
    if (wanted == ui::Variant::Difference && !viewed.isComparable())
        throw Error("B minus A needs the same numbers of tokens, layers and heads in both", "--run",
                    "Choose a or b");
}

/// The session leaves out edits that do not fit its model; those of the command line are refused.
void requireEdits(const ui::ViewSnapshot& viewed, const RenderOptions& options)
{
    for (const WeightEdit& edit : parseEdits(options.edits))
        checkWeightEdit(viewed.model(ui::Variant::B).model->config(), edit);
}

/// Selection without --part: the part that the model's pages begin with.
ui::Selection selectionFor(const ui::ViewSnapshot& viewed, const CLI::App& command,
                           ui::Selection selection)
{
    if (command.count("--part") + command.count("--session") == 0)
        selection.part = viewed.selection.part;
    return selection;
}

/// The figure alone, or a page to share with the figure on it, by the ending of the path.
void writeImage(const ui::Figure& figure, const ui::FigureStyle& style,
                const ui::ViewSnapshot& viewed, const RenderOptions& options)
{
    if (ui::endingOf(options.output) == ".html")
        ui::saveSharedPage(ui::sharedPageNamed(pageOf(options.view), figure, viewed, style.session),
                           options.output);
    else
        ui::saveFigure(figure, style, options.output);
    print(options.output + "\n");
}

void write(const ui::Figure& figure, const ui::FigureStyle& style, const ui::ViewSnapshot& viewed,
           const RenderOptions& options)
{
    if (!figure.paint)
        throw Error("the view \"" + options.view + "\" has nothing to draw here",
                    "headscope render", "Give its input: a text, a model, or a variant B");
    if (!options.output.empty())
        writeImage(figure, style, viewed, options);
    if (options.numbers.empty())
        return;
    for (const auto& path : ui::saveNumbers(figure, options.numbers))
        print(path.string() + "\n");
}

void render(const CLI::App& command, const RenderOptions& options, CommandContext& context)
{
    drawWithoutDisplay();
    const QApplication application(context.argc(), context.argv());
    SettledSession settled;
    settled.state = options.trace.empty() ? stateFrom(command, options) : ui::SessionState{};
    addSelection(command, options, settled.state.selection);
    const ui::SessionState wanted = settled.state;
    if (options.trace.empty())
        settled = settle(wanted, sitesOf(options.view), context);
    else
        settled.view = viewOfFile(options.trace);
    ui::ViewSnapshot& viewed = settled.view;
    requireEdits(viewed, options);
    viewed.selection = selectionFor(viewed, command, wanted.selection);
    requireVariant(viewed, wanted.shown);
    requireHead(viewed, viewed.selection);
    viewed.shown = wanted.shown;

    const QString page = pageOf(options.view);
    QJsonObject viewOptions = wanted.pages.value(page).toObject();
    for (const std::string& option : options.viewOptions)
        addViewOption(viewOptions, option);
    ui::FigureStyle style{options.theme == "dark", options.scale};
    style.caption = options.caption;
    if (!options.size.empty())
        style.size = parseSize(options.size);
    if (options.trace.empty()) {
        settled.state.page = page;
        settled.state.pages = wanted.pages;
        settled.state.pages.insert(page, viewOptions);
        style.session = ui::sessionJson(settled.state);
    }
    write(ui::figureNamed(QString::fromStdString(options.view), viewed, viewOptions), style, viewed,
          options);
}

// ------------------------------------------------------------------------------- the command line

std::vector<std::string> viewNames()
{
    std::vector<std::string> names;
    for (const ui::FigureEntry& entry : ui::figureEntries())
        names.push_back(entry.name.toStdString());
    return names;
}

void addInputOptions(CLI::App& command, RenderOptions& options)
{
    addModelOption(command, options.model);
    addDeviceOption(command, options.device);
    auto* text =
        command.add_option("--text", options.text, "The text; for an encoder-decoder the source");
    auto* chat = addChatOption(command, options.chat)->excludes(text);
    command.add_option("--target", options.target, "Text that an encoder-decoder's decoder reads");
    command.add_option(
        "--session", options.session,
        "A session file, or a figure or shared page that contains one; options override it");
    command.add_option("--trace", options.trace, "A trace file instead of a model and a text")
        ->excludes("--text", "--target", "--session", "--model")
        ->excludes(chat);
}

void addChangeOptions(CLI::App& command, RenderOptions& options)
{
    const auto add = [&](const char* name, auto& value, const char* words) {
        command.add_option(name, value, words)->excludes("--trace");
    };
    add("--mask", options.mask, "causal, none, window:W, or a file of cells, in B");
    add("--positions", options.positions, (positionsSyntax() + ", in B").c_str());
    add("--ablate", options.ablate, "Heads whose output is set to 0 in B: L0H3,L1H2");
    addEditOption(command, options.edits)
        ->description("Edits weights in B, as trace --edit writes them; may be repeated")
        ->excludes("--trace");
    addLoraOption(command, options.edits)
        ->description("Applies a LoRA adapter to B: a folder that PEFT saved, or a GGUF adapter; "
                      "may be repeated")
        ->excludes("--trace");
    add("--text-b", options.textB, "Another text for B");
    add("--target-b", options.targetB, "Another target for B");
    add("--model-b", options.modelB, "Another model for B");
    command.add_option("--run", options.run, "a, b or difference (B minus A); b if B has changes")
        ->check(CLI::IsMember(namesOf(kVariants)))
        ->excludes("--trace");
}

void addImageOptions(CLI::App& command, RenderOptions& options)
{
    command.add_option("--view", options.view, "View to draw")
        ->check(CLI::IsMember(viewNames()))
        ->capture_default_str();
    command.add_option("--options", options.viewOptions,
                       "The view's own settings: NAME=VALUE or {\"NAME\": VALUE}; repeatable");
    command.add_option("--part", options.part, "Attention kind of an encoder-decoder")
        ->check(CLI::IsMember(namesOf(kParts)));
    for (const auto& [name, value] :
         {std::pair("--layer", &options.layer), std::pair("--head", &options.head)})
        command.add_option(name, *value, "Counted from 0")
            ->check(CLI::NonNegativeNumber)
            ->capture_default_str();
    command.add_option("--query", options.query, "The query token, from 0; -1: the last")
        ->check(CLI::Range(-1, 1 << 20))
        ->capture_default_str();
    command.add_option("--key", options.key, "The key token; -1: the one with the largest weight")
        ->check(CLI::Range(-1, 1 << 20))
        ->capture_default_str();
}

void addFileOptions(CLI::App& command, RenderOptions& options)
{
    command.add_option("--theme", options.theme, "light or dark")
        ->check(CLI::IsMember({"light", "dark"}))
        ->capture_default_str();
    command.add_option("--colours", options.colours, "The colour map of weights")
        ->check(CLI::IsMember(namesOf(kMaps)));
    command.add_option("--scale", options.scale, "Pixels of a PNG per logical pixel, at most 8")
        ->check(CLI::Range(0.1, 8.0))
        ->capture_default_str();
    command.add_option("--size", options.size, "WIDTHxHEIGHT of the image in logical pixels");
    command.add_flag("--caption", options.caption, "Write the caption below the plot");
    auto* files = command.add_option_group("files");
    files->add_option("--out", options.output, "F.png, F.svg, F.pdf, or F.html: a page to share");
    files->add_option("--numbers", options.numbers, "F.csv, F.npy or F.json: the plotted data");
    files->require_option(1, 2);
}

} // namespace

void addRenderCommand(CLI::App& app, CommandContext& context)
{
    const auto options = std::make_shared<RenderOptions>();
    CLI::App* command = app.add_subcommand("render", "Draw one view of the window to a file");
    addInputOptions(*command, *options);
    addChangeOptions(*command, *options);
    addImageOptions(*command, *options);
    addFileOptions(*command, *options);
    command->callback([command, options, &context] {
        const bool needsText = options->view != "positions" && options->view != "architecture";
        if (needsText && command->count("--text") + command->count("--chat") +
                                 command->count("--trace") + command->count("--session") ==
                             0)
            throw CLI::RequiredError("--text, --chat, --session or --trace");
        render(*command, *options, context);
    });
}

} // namespace headscope::app
