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

void setTokenMetadata(SafetensorsWriter& writer, const TokenSequence& sequence,
                      const Tokenizer& tokenizer)
{
    Json ids = Json::array();
    Json tokens = Json::array();
    Json offsets = Json::array();
    for (const Token& token : sequence.tokens) {
        ids.push_back(token.id);
        tokens.push_back(tokenizer.tokenText(token.id));
        offsets.push_back({token.bytes.begin, token.bytes.end});
    }
    writer.setMetadata("ids", dumpJson(ids));
    writer.setMetadata("tokens", dumpJson(tokens));
    if (isValidUtf8(sequence.text)) { // metadata can hold nothing else
        writer.setMetadata("text", sequence.text);
        writer.setMetadata("offsets", dumpJson(offsets));
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
        TokenSequence tokens = readTokens();
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
                                             std::move(info));
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

    TokenSequence readTokens()
    {
        const Json ids = parseJson(value("ids"), m_file.path() + ", ids", 4);
        if (!ids.is_array() || ids.empty())
            throw fault("ids must be an array of token ids");
        m_length = static_cast<std::int64_t>(ids.size());
        TokenSequence sequence;
        for (const Json& id : ids) {
            if (!id.is_number_unsigned() ||
                id.get<std::uint64_t>() > std::numeric_limits<TokenId>::max())
                throw fault("ids holds something that is no token id");
            sequence.tokens.push_back({id.get<TokenId>(), {}, false});
        }
        if (m_file.metadata().count("offsets") != 0)
            readOffsets(sequence);
        else
            joinTokens(sequence);
        return sequence;
    }

    void readOffsets(TokenSequence& sequence) const
    {
        sequence.text = value("text");
        const Json offsets = array("offsets", sequence.size());
        for (std::size_t i = 0; i < sequence.size(); ++i) {
            const Json& range = offsets[i];
            if (!range.is_array() || range.size() != 2 || !range[0].is_number_unsigned() ||
                !range[1].is_number_unsigned() || range[0] > range[1] ||
                range[1].get<std::uint64_t>() > sequence.text.size())
                throw fault(fmt::format("the offsets of token {} lie outside the text", i));
            sequence.tokens[i].bytes = {range[0].get<std::size_t>(), range[1].get<std::size_t>()};
            sequence.tokens[i].special = range[0] == range[1];
        }
    }

    /// A file without text, as others write it: the tokens one after the other are the text.
    void joinTokens(TokenSequence& sequence) const
    {
        const Json tokens = array("tokens", sequence.size());
        for (std::size_t i = 0; i < sequence.size(); ++i) {
            if (!tokens[i].is_string())
                throw fault(fmt::format("token {} is no string", i));
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
        const bool maskedCells = key.site == Site::AttnScores;
        for (const float number : tensor->values())
            if (std::isnan(number) || (std::isinf(number) && !(maskedCells && number < 0.0F)))
                throw fault(fmt::format("{} holds {}", inQuotes(name), number));
        return tensor;
    }

    void checkShape(TraceKey key, const std::string& name, const std::vector<std::int64_t>& shape)
    {
        const bool perHead = hasQueryRowsPerHead(key.site);
        const bool headWise = perHead || key.site == Site::Query || key.site == Site::Key ||
                              key.site == Site::Value || key.site == Site::Z;
        const std::size_t rank = headWise ? 3 : 2;
        const std::size_t tokenAxis = perHead ? 1 : 0;
        if (shape.size() != rank || shape[tokenAxis] != m_length || shape[0] == 0 ||
            (perHead && shape[2] != m_length))
            throw fault(fmt::format("{} has the shape [{}] in a trace of {} tokens", inQuotes(name),
                                    fmt::join(shape, ", "), m_length));
        const auto [known, isNew] = m_shapes.try_emplace(key.site, shape);
        if (!isNew && known->second != shape)
            throw fault(fmt::format("{} has the shape [{}], an earlier layer [{}]", inQuotes(name),
                                    fmt::join(shape, ", "), fmt::join(known->second, ", ")));
    }

    SafetensorsFile m_file;
    std::int64_t m_length = 0;
    std::map<Site, std::vector<std::int64_t>> m_shapes; ///< layers of one site agree
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
    setTokenMetadata(writer, trace.tokens(), tokenizer);
    for (const auto& [key, activation] : trace.activations())
        writer.add(toString(key), activation->view());
    writer.write(path);
}

TracePtr loadTrace(const std::filesystem::path& path)
{
    return TraceReader(path).read();
}

} // namespace headscope
