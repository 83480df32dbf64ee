#include "core/io/trace_file.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/io/safetensors/safetensors_file.h"
#include "core/io/safetensors/safetensors_writer.h"
#include "core/io/safetensors/stored_tensor.h"
#include "core/io/trace_tokens.h"
#include "core/io/weight_notes.h"
#include "core/text/chat/chat_input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>

namespace headscope {

namespace {

using Json = nlohmann::json;

constexpr const char* kFormat = "headscope-trace";
constexpr const char* kVersion = "1";
constexpr int kMaxLayers = 4096;
constexpr int kMaxTurns = 1 << 20;

bool isValidUtf8(const std::string& text)
{
    try {
        return !Json(text).dump().empty();
    } catch (const Json::type_error&) {
        return false;
    }
}

/// Prefix of the keys of a source's tokens; those of the text (or target) have none.
constexpr const char* kSource = "source_";

void setTokenMetadata(SafetensorsWriter& writer, const std::string& prefix,
                      const TokenSequence& sequence, const Tokenizer& tokenizer)
{
    Json ids = Json::array();
    Json tokens = Json::array();
    Json offsets = Json::array();
    Json turns = Json::array();
    for (const Token& token : sequence.tokens) {
        turns.push_back(token.turn);
        ids.push_back(token.id);
        tokens.push_back(tokenizer.tokenText(token.id));
        offsets.push_back({token.bytes.begin, token.bytes.end});
    }
    writer.setMetadata(prefix + "ids", dumpJson(ids));
    writer.setMetadata(prefix + "tokens", dumpJson(tokens));
    if (isChat(sequence))
        writer.setMetadata(prefix + "turns", dumpJson(turns));
    if (isValidUtf8(sequence.text)) { // metadata can hold nothing else
        writer.setMetadata(prefix + "text", sequence.text);
        writer.setMetadata(prefix + "offsets", dumpJson(offsets));
    }
}

/// Reads and checks one trace file.
class TraceReader
{
public:
    explicit TraceReader(const std::filesystem::path& path) : m_file(SafetensorsFile::open(path)) {}

    TraceFile read()
    {
        if (value("format") != kFormat)
            throw fault("this safetensors file is not a Headscope trace");
        if (value("version") != kVersion)
            throw fault("a trace of version " + inQuotes(value("version")) + ", \"" + kVersion +
                        "\" was expected");
        NamedTexts named = readTexts();
        m_length = static_cast<std::int64_t>(named.texts[0].size());
        m_sourceLength =
            named.texts.size() > 1 ? static_cast<std::int64_t>(named.texts[1].size()) : 0;
        Trace::Activations activations;
        for (const auto& [name, stored] : m_file.tensors())
            if (const std::optional<TraceKey> key = parseTraceKey(name))
                activations[*key] = readActivation(*key, name, stored);
        m_file.requireUnchanged();
        if (activations.empty())
            throw fault("a trace without any known activation, such as "
                        "\"blocks.0.attn.hook_pattern\"");
        TraceFile file;
        file.names = std::move(named.names);
        file.roles = readRoles();
        file.notes = m_notes.sentences();
        if (named.idsDisagree)
            file.notes.push_back("One of its ids names two tokens, so ids are renumbered.");
        file.trace = std::make_shared<const Trace>(
            std::move(named.texts[0]), std::move(activations), info(),
            m_sourceLength > 0 ? std::move(named.texts[1]) : TokenSequence());
        return file;
    }

private:
    FormatError fault(const std::string& problem) const
    {
        return {problem, m_file.path(), std::nullopt,
                "Write it with the Python package: headscope.capture(outputs, tokens).save(path)"};
    }

    TraceInfo info() const
    {
        TraceInfo info;
        info.model = value("model");
        info.settings = value("settings");
        info.device = value("device");
        info.textTokens = m_length;
        info.sourceTextTokens = m_sourceLength;
        return info;
    }

    std::string value(const std::string& key) const
    {
        const auto found = m_file.metadata().find(key);
        return found == m_file.metadata().end() ? std::string() : found->second;
    }

    bool has(const std::string& key) const { return m_file.metadata().count(key) != 0; }

    Json json(const std::string& key) const
    {
        return parseJson(value(key), m_file.path() + ", " + key, 4);
    }

    Json array(const std::string& key, std::size_t length) const
    {
        Json values = json(key);
        if (!values.is_array() || values.size() != length)
            throw fault(fmt::format("{} must be an array of {} entries", key, length));
        return values;
    }

    NamedTexts readTexts() const
    {
        std::vector<StoredTokens> stored{readTokens("")};
        if (has("source_ids") || has("source_tokens"))
            stored.push_back(readTokens(kSource));
        return nameTokens(stored);
    }

    StoredTokens readTokens(const std::string& prefix) const
    {
        StoredTokens stored;
        if (has(prefix + "ids") || !has(prefix + "tokens"))
            readIds(prefix + "ids", stored);
        const bool hasOffsets = has(prefix + "offsets");
        if (has(prefix + "tokens") || !hasOffsets)
            readNames(prefix, stored);
        if (hasOffsets)
            readOffsets(prefix, stored);
        if (has(prefix + "turns"))
            readTurns(prefix + "turns", stored);
        return stored;
    }

    void readIds(const std::string& name, StoredTokens& stored) const
    {
        const Json ids = json(name);
        if (!ids.is_array() || ids.empty())
            throw fault(name + " must be an array of token ids");
        for (const Json& id : ids) {
            if (!id.is_number_unsigned() ||
                id.get<std::uint64_t>() > std::numeric_limits<TokenId>::max())
                throw fault(name + " contains something that is not a token id");
            stored.ids.push_back(id.get<TokenId>());
        }
    }

    void readNames(const std::string& prefix, StoredTokens& stored) const
    {
        const Json tokens = stored.ids.empty() ? json(prefix + "tokens")
                                               : array(prefix + "tokens", stored.ids.size());
        if (!tokens.is_array() || tokens.empty())
            throw fault(prefix + "tokens must be an array of strings");
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (!tokens[i].is_string())
                throw fault(fmt::format("{}token {} is not a string", prefix, i));
            stored.tokens.push_back(tokens[i].get<std::string>());
        }
    }

    void readOffsets(const std::string& prefix, StoredTokens& stored) const
    {
        stored.text = value(prefix + "text");
        const Json offsets = array(prefix + "offsets", stored.size());
        for (std::size_t i = 0; i < offsets.size(); ++i) {
            const Json& range = offsets[i];
            if (!range.is_array() || range.size() != 2 || !range[0].is_number_unsigned() ||
                !range[1].is_number_unsigned() || range[0] > range[1] ||
                range[1].get<std::uint64_t>() > stored.text.size())
                throw fault(
                    fmt::format("the {}offsets of token {} are outside the text", prefix, i));
            stored.offsets.push_back({range[0].get<std::size_t>(), range[1].get<std::size_t>()});
        }
    }

    void readTurns(const std::string& name, StoredTokens& stored) const
    {
        for (const Json& turn : array(name, stored.size())) {
            if (!turn.is_number_integer() || turn < kTemplateTurn || turn > kMaxTurns)
                throw fault(name + " contains something that is not the number of a turn");
            stored.turns.push_back(turn.get<int>());
        }
    }

    std::vector<std::string> readRoles() const
    {
        std::vector<std::string> roles;
        if (!has("roles"))
            return roles;
        const Json names = json("roles");
        for (const Json& role : names) {
            if (!names.is_array() || !role.is_string())
                throw fault("roles must be an array of strings");
            roles.push_back(role.get<std::string>());
        }
        return roles;
    }

    std::shared_ptr<const Tensor> readActivation(TraceKey key, const std::string& name,
                                                 StoredTensor stored)
    {
        if (key.layer >= kMaxLayers)
            throw fault(fmt::format("{} is of a layer beyond {}", inQuotes(name), kMaxLayers));
        dropBatch(key, name, stored.shape);
        checkShape(key, name, stored.shape);
        auto tensor = std::make_shared<Tensor>(stored.toTensor());
        if (isPattern(key.site)) {
            m_notes.check(name, *tensor, saysSinks());
            return tensor;
        }
        const bool maskedCells = isScores(key.site);
        for (const float number : tensor->values())
            if (std::isnan(number) || (std::isinf(number) && !(maskedCells && number < 0.0F)))
                throw fault(fmt::format("{} holds {}", inQuotes(name), number));
        return tensor;
    }

    /// True where the settings name attention sinks, so that rows may sum to less than 1.
    bool saysSinks() const
    {
        const Json settings = Json::parse(value("settings"), nullptr, /*allow_exceptions=*/false);
        return settings.is_object() && settings.value("attention_sinks", Json()) == true;
    }

    /// Removes the batch axis of other programs: [1, h, n, n] is one text.
    void dropBatch(TraceKey key, const std::string& name, std::vector<std::int64_t>& shape) const
    {
        const std::size_t rank = hasHeads(key.site) ? 3 : 2;
        if (shape.size() != rank + 1 || key.site == Site::NextSentence)
            return;
        if (shape[0] != 1)
            throw fault(fmt::format("{} has the shape [{}], a batch of {} texts, but one was "
                                    "expected",
                                    inQuotes(name), fmt::join(shape, ", "), shape[0]));
        shape.erase(shape.begin());
    }

    void checkShape(TraceKey key, const std::string& name, const std::vector<std::int64_t>& shape)
    {
        if (m_sourceLength == 0 && isOfTheSource(key))
            throw fault(fmt::format("{} in a trace without source_ids", inQuotes(name)));
        if (!fitsTheTokens(key, shape))
            throw fault(fmt::format("{} has the shape [{}] in a trace of {} tokens", inQuotes(name),
                                    fmt::join(shape, ", "), lengths()));
        const auto [known, isNew] = m_shapes.try_emplace({key.site, key.stack}, shape);
        if (!isNew && known->second != shape)
            throw fault(fmt::format("{} has the shape [{}], but an earlier layer has [{}]",
                                    inQuotes(name), fmt::join(shape, ", "),
                                    fmt::join(known->second, ", ")));
    }

    static bool isOfTheSource(TraceKey key)
    {
        return key.stack == Stack::Encoder || hasSourceRows(key.site) || hasSourceColumns(key.site);
    }

    bool fitsTheTokens(TraceKey key, const std::vector<std::int64_t>& shape) const
    {
        if (key.site == Site::NextSentence)
            return shape == std::vector<std::int64_t>{1, 2};
        const bool perHead = hasQueryRowsPerHead(key.site);
        if (shape.size() != (hasHeads(key.site) ? 3u : 2u) || shape[0] == 0)
            return false;
        const bool source = key.stack == Stack::Encoder || hasSourceRows(key.site);
        const std::int64_t rows = source ? m_sourceLength : m_length;
        const std::int64_t keys = hasSourceColumns(key.site) ? m_sourceLength : rows;
        return shape[perHead ? 1 : 0] == rows && (!perHead || shape[2] == keys);
    }

    std::string lengths() const
    {
        return m_sourceLength == 0 ? fmt::format("{}", m_length)
                                   : fmt::format("{} source and {}", m_sourceLength, m_length);
    }

    SafetensorsFile m_file;
    WeightNotes m_notes;
    std::int64_t m_length = 0;
    std::int64_t m_sourceLength = 0; ///< 0 unless the trace is an encoder-decoder's
    /// Shape shared by the layers of a site.
    std::map<std::pair<Site, Stack>, std::vector<std::int64_t>> m_shapes;
};

} // namespace

void saveTrace(const std::filesystem::path& path, const Trace& trace, const Tokenizer& tokenizer,
               const std::vector<std::string>& roles)
{
    SafetensorsWriter writer;
    writer.setMetadata("format", kFormat);
    writer.setMetadata("version", kVersion);
    writer.setMetadata("model", trace.info().model);
    writer.setMetadata("settings", trace.info().settings);
    writer.setMetadata("device", trace.info().device);
    setTokenMetadata(writer, "", trace.tokens(), tokenizer);
    if (isChat(trace.tokens()) && !roles.empty())
        writer.setMetadata("roles", dumpJson(Json(roles)));
    if (trace.sourceTokens().size() > 0)
        setTokenMetadata(writer, kSource, trace.sourceTokens(), tokenizer);
    for (const auto& [key, activation] : trace.activations())
        writer.add(toString(key), activation->view());
    std::vector<std::shared_ptr<const Tensor>> made;
    for (const auto& [key, kept] : trace.retainedPatterns()) {
        made.push_back(trace.find(key));
        writer.add(toString(key), made.back()->view());
    }
    for (const TraceKey key : trace.omitted() ? trace.omitted()->keys() : std::vector<TraceKey>()) {
        made.push_back(trace.find(key));
        writer.add(toString(key), made.back()->view());
    }
    writer.write(path);
}

TraceFile openTraceFile(const std::filesystem::path& path)
{
    return TraceReader(path).read();
}

bool isTraceFile(const std::filesystem::path& path)
{
    std::error_code error;
    if (path.extension() != ".safetensors" || !std::filesystem::is_regular_file(path, error))
        return false;
    try {
        const SafetensorsFile file = SafetensorsFile::open(path);
        const auto format = file.metadata().find("format");
        return format != file.metadata().end() && format->second == kFormat;
    } catch (const Error&) {
        return false; // reported when it is opened
    }
}

} // namespace headscope
