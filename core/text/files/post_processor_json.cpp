#include "core/text/files/post_processor_json.h"

#include "core/base/json_text.h"

#include <fmt/format.h>

namespace headscope {

using nlohmann::json;

namespace {

/// Untrusted value on one line, shortened.
std::string shown(const json& value)
{
    const std::string quoted = inQuotes(dumpJson(value));
    return quoted.substr(1, quoted.size() - 2);
}

TokenId checkedId(const JsonPart& part, const json& id, const TokenTable& table)
{
    if (!id.is_number_unsigned() || id >= table.size())
        part.fail(
            fmt::format("the post-processor names the id {}, but the vocabulary has {} tokens",
                        shown(id), table.size()));
    return id.get<TokenId>();
}

/// Limits the tokens, as a template may repeat a special token that stands for many.
void checkCount(const JsonPart& part, const Surroundings& around)
{
    constexpr std::size_t kMost = 1024;
    if (around.prefix.size() + around.suffix.size() > kMost)
        part.fail(fmt::format("the post-processor puts more than {} tokens around a text", kMost));
}

/// Appends {"SpecialToken": {"id": "<s>"}} by its name in "special_tokens", which may stand for
/// several.
void appendSpecial(const JsonPart& part, const std::string& name, const TokenTable& table,
                   std::vector<TokenId>& ids)
{
    const json& specials = part.get("special_tokens");
    if (specials.is_object() && specials.contains(name)) {
        const JsonPart special(specials[name], "special token", part.where());
        for (const json& id : special.list("ids"))
            ids.push_back(checkedId(part, id, table));
        return;
    }
    const auto id = table.find(name);
    if (!id)
        part.fail(fmt::format("the post-processor names {}, which is not in the vocabulary",
                              inQuotes(name)));
    ids.push_back(*id);
}

/// Reads [{"SpecialToken": {"id": "<s>"}}, {"Sequence": {"id": "A"}}, ...].
Surroundings readTemplate(const JsonPart& part, const TokenTable& table)
{
    part.allow({"single", "pair", "special_tokens"});
    Surroundings result;
    bool textSeen = false;
    for (const json& value : part.list("single")) {
        const JsonPart piece(value, "piece of a template", part.where());
        piece.allow({"Sequence", "SpecialToken"});
        if (!piece.get("Sequence").is_null()) {
            const JsonPart sequence(piece.get("Sequence"), "Sequence", part.where());
            if (textSeen || sequence.text("id", "A") != "A")
                part.fail("a template for one text contains a second one");
            textSeen = true;
            continue;
        }
        const JsonPart special(piece.get("SpecialToken"), "SpecialToken", part.where());
        appendSpecial(part, special.text("id"), table, textSeen ? result.suffix : result.prefix);
        checkCount(part, result);
    }
    if (!textSeen)
        part.fail("a template for one text does not contain the text");
    return result;
}

/// Reads ["[SEP]", 102].
TokenId pairedId(const JsonPart& part, const char* key, const TokenTable& table)
{
    const json& pair = part.list(key);
    if (pair.size() != 2)
        part.fail(fmt::format("\"{}\" of the post-processor is not a token and its id", key));
    return checkedId(part, pair[1], table);
}

Surroundings readSequence(const JsonPart& part, const TokenTable& table)
{
    part.allow({"processors"});
    Surroundings result;
    for (const JsonPart& step : part.parts("processors")) {
        const Surroundings outer = readPostProcessor(step, table);
        result.prefix.insert(result.prefix.begin(), outer.prefix.begin(), outer.prefix.end());
        result.suffix.insert(result.suffix.end(), outer.suffix.begin(), outer.suffix.end());
        checkCount(part, result);
    }
    return result;
}

} // namespace

Surroundings readPostProcessor(const JsonPart& part, const TokenTable& table)
{
    const std::string type = part.type();
    if (type == "Sequence")
        return readSequence(part, table);
    if (type == "TemplateProcessing")
        return readTemplate(part, table);
    if (type == "BertProcessing" || type == "RobertaProcessing") {
        part.allow({"sep", "cls", "trim_offsets", "add_prefix_space"});
        return {{pairedId(part, "cls", table)}, {pairedId(part, "sep", table)}};
    }
    if (type != "ByteLevel")
        part.refuseType();
    part.allow({"add_prefix_space", "trim_offsets", "use_regex"}); // our ranges are exact untrimmed
    return {};
}

} // namespace headscope
