#include "core/io/trace_file.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/io/safetensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope {

namespace {

using Json = nlohmann::json;

constexpr const char* kFormat = "headscope-trace";
constexpr const char* kVersion = "1";
constexpr int kMaxLayers = 4096;

bool isValidUtf8(const std::string& text)
{
    try {
        return !Json(text).dump().empty();
    } catch (const Json::type_error&) {
        return false;
    }
}

/// The keys of a source's tokens begin with this, those of the text's (or target's) with nothing.
constexpr const char* kSource = "source_";

void setTokenMetadata(SafetensorsWriter& writer, const std::string& prefix,
                      const TokenSequence& sequence, const Tokenizer& tokenizer)
{
    Json ids = Json::array();
    Json tokens = Json::array();
    Json offsets = Json::array();
    for (const Token& token : sequence.tokens) {
        ids.push_back(token.id);
        tokens.push_back(tokenizer.tokenText(token.id));
        offsets.push_back({token.bytes.begin, token.bytes.end});
    }
    writer.setMetadata(prefix + "ids", dumpJson(ids));
    writer.setMetadata(prefix + "tokens", dumpJson(tokens));
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

    TracePtr read()
    {
        if (value("format") != kFormat)
            throw fault("this safetensors file is no Headscope trace");
        if (value("version") != kVersion)
            throw fault("a trace of version " + inQuotes(value("version")) + ", \"" + kVersion +
                        "\" was expected");
        TokenSequence tokens = readTokens("");
        TokenSequence source;
        if (m_file.metadata().count("source_ids") != 0)
            source = readTokens(kSource);
        m_length = static_cast<std::int64_t>(tokens.size());
        m_sourceLength = static_cast<std::int64_t>(source.size());
        Trace::Activations activations;
        for (const auto& [name, stored] : m_file.tensors())
            if (const std::optional<TraceKey> key = parseTraceKey(name))
                activations[*key] = readActivation(*key, name, stored);
        if (activations.empty())
            throw fault("a trace without any activation that is known here");
        TraceInfo info;
        info.model = value("model");
        info.settings = value("settings");
        info.device = value("device");
        info.textTokens = m_length;
        return std::make_shared<const Trace>(std::move(tokens), std::move(activations),
                                             std::move(info), std::move(source));
    }

private:
    FormatError fault(const std::string& problem) const
    {
        return {problem, m_file.path(), std::nullopt, "Give a trace that Headscope wrote"};
    }

    std::string value(const std::string& key) const
    {
        const auto found = m_file.metadata().find(key);
        return found == m_file.metadata().end() ? std::string() : found->second;
    }

    Json array(const std::string& key, std::size_t length) const
    {
        Json json = parseJson(value(key), m_file.path() + ", " + key, 4);
        if (!json.is_array() || json.size() != length)
            throw fault(fmt::format("{} must be an array of {} entries", key, length));
        return json;
    }

    TokenSequence readTokens(const std::string& prefix) const
    {
        const std::string name = prefix + "ids";
        const Json ids = parseJson(value(name), m_file.path() + ", " + name, 4);
        if (!ids.is_array() || ids.empty())
            throw fault(name + " must be an array of token ids");
        TokenSequence sequence;
        for (const Json& id : ids) {
            if (!id.is_number_unsigned() ||
                id.get<std::uint64_t>() > std::numeric_limits<TokenId>::max())
                throw fault(name + " holds something that is no token id");
            sequence.tokens.push_back({id.get<TokenId>(), {}, false});
        }
        if (m_file.metadata().count(prefix + "offsets") != 0)
            readOffsets(prefix, sequence);
        else
            joinTokens(prefix, sequence);
        return sequence;
    }

    void readOffsets(const std::string& prefix, TokenSequence& sequence) const
    {
        sequence.text = value(prefix + "text");
        const Json offsets = array(prefix + "offsets", sequence.size());
        for (std::size_t i = 0; i < sequence.size(); ++i) {
            const Json& range = offsets[i];
            if (!range.is_array() || range.size() != 2 || !range[0].is_number_unsigned() ||
                !range[1].is_number_unsigned() || range[0] > range[1] ||
                range[1].get<std::uint64_t>() > sequence.text.size())
                throw fault(
                    fmt::format("the {}offsets of token {} lie outside the text", prefix, i));
            sequence.tokens[i].bytes = {range[0].get<std::size_t>(), range[1].get<std::size_t>()};
            sequence.tokens[i].special = range[0] == range[1];
        }
    }

    /// A file without text, as others write it: the tokens one after the other are the text.
    void joinTokens(const std::string& prefix, TokenSequence& sequence) const
    {
        const Json tokens = array(prefix + "tokens", sequence.size());
        for (std::size_t i = 0; i < sequence.size(); ++i) {
            if (!tokens[i].is_string())
                throw fault(fmt::format("{}token {} is no string", prefix, i));
            const std::size_t begin = sequence.text.size();
            sequence.text += tokens[i].get<std::string>();
            sequence.tokens[i].bytes = {begin, sequence.text.size()};
        }
    }

    std::shared_ptr<const Tensor> readActivation(TraceKey key, const std::string& name,
                                                 const StoredTensor& stored)
    {
        if (key.layer >= kMaxLayers)
            throw fault(fmt::format("{} is of a layer beyond {}", inQuotes(name), kMaxLayers));
        checkShape(key, name, stored.shape);
        auto tensor = std::make_shared<const Tensor>(stored.toTensor());
        const bool maskedCells = key.site == Site::AttnScores || key.site == Site::CrossScores;
        for (const float number : tensor->values())
            if (std::isnan(number) || (std::isinf(number) && !(maskedCells && number < 0.0F)))
                throw fault(fmt::format("{} holds {}", inQuotes(name), number));
        return tensor;
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
            throw fault(fmt::format("{} has the shape [{}], an earlier layer [{}]", inQuotes(name),
                                    fmt::join(shape, ", "), fmt::join(known->second, ", ")));
    }

    static bool isCrossPattern(Site site)
    {
        return site == Site::CrossScores || site == Site::CrossPattern;
    }

    static bool isOfTheSource(TraceKey key)
    {
        return key.stack == Stack::Encoder || hasSourceRows(key.site) || isCrossPattern(key.site);
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
        const std::int64_t keys = isCrossPattern(key.site) ? m_sourceLength : rows;
        return shape[perHead ? 1 : 0] == rows && (!perHead || shape[2] == keys);
    }

    std::string lengths() const
    {
        return m_sourceLength == 0 ? fmt::format("{}", m_length)
                                   : fmt::format("{} source and {}", m_sourceLength, m_length);
    }

    SafetensorsFile m_file;
    std::int64_t m_length = 0;
    std::int64_t m_sourceLength = 0; ///< 0 unless the trace is an encoder-decoder's
    std::map<std::pair<Site, Stack>, std::vector<std::int64_t>> m_shapes; ///< its layers agree
};

} // namespace

void saveTrace(const std::filesystem::path& path, const Trace& trace, const Tokenizer& tokenizer)
{
    SafetensorsWriter writer;
    writer.setMetadata("format", kFormat);
    writer.setMetadata("version", kVersion);
    writer.setMetadata("model", trace.info().model);
    writer.setMetadata("settings", trace.info().settings);
    writer.setMetadata("device", trace.info().device);
    setTokenMetadata(writer, "", trace.tokens(), tokenizer);
    if (trace.sourceTokens().size() > 0)
        setTokenMetadata(writer, kSource, trace.sourceTokens(), tokenizer);
    for (const auto& [key, activation] : trace.activations())
        writer.add(toString(key), activation->view());
    writer.write(path);
}

TracePtr loadTrace(const std::filesystem::path& path)
{
    return TraceReader(path).read();
}

} // namespace headscope
