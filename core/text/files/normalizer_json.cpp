#include "core/text/files/normalizer_json.h"

#include "core/base/error.h"
#include "core/text/normalizers/charsmap_normalizer.h"
#include "core/text/normalizers/unicode_normalizer.h"

#include <fmt/format.h>

namespace headscope {

using nlohmann::json;

namespace {

/// Value of a base64 digit, or -1.
int base64Digit(char character)
{
    if (character >= 'A' && character <= 'Z')
        return character - 'A';
    if (character >= 'a' && character <= 'z')
        return character - 'a' + 26;
    if (character >= '0' && character <= '9')
        return character - '0' + 52;
    return character == '+' ? 62 : character == '/' ? 63 : -1;
}

std::string fromBase64(const std::string& text, const JsonPart& part)
{
    std::string bytes;
    unsigned bits = 0;
    int count = 0;
    for (const char character : std::string_view(text).substr(0, text.find('='))) {
        const int digit = base64Digit(character);
        if (digit < 0)
            part.fail("\"precompiled_charsmap\" is not valid base64");
        bits = (bits << 6 | static_cast<unsigned>(digit)) & 0xFFFFU;
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes += static_cast<char>(bits >> count & 0xFFU);
        }
    }
    return bytes;
}

/// Text to insert, perhaps many times.
std::string shortText(const JsonPart& part, const char* key)
{
    constexpr std::size_t kLongest = 1024;
    std::string text = part.text(key);
    if (text.size() > kLongest)
        part.fail(fmt::format("\"{}\" of a normalizer has {} bytes, but at most {} are allowed",
                              key, text.size(), kLongest));
    return text;
}

TextNormalizer readBert(const JsonPart& part)
{
    part.allow({"clean_text", "handle_chinese_chars", "strip_accents", "lowercase"});
    BertNormalization settings;
    settings.cleanControls = part.flag("clean_text", true);
    settings.spaceCjk = part.flag("handle_chinese_chars", true);
    settings.lowerCase = part.flag("lowercase", true);
    settings.stripAccents = part.flag("strip_accents", settings.lowerCase);
    return bertNormalizer(settings);
}

/// Flattens nested sequences into one list of steps.
void appendSteps(const JsonPart& part, std::vector<TextNormalizer>& steps)
{
    if (part.type() != "Sequence") {
        steps.push_back(readNormalizer(part));
        return;
    }
    part.allow({"normalizers"});
    for (const JsonPart& step : part.parts("normalizers"))
        appendSteps(step, steps);
}

TextNormalizer readSequence(const JsonPart& part)
{
    std::vector<TextNormalizer> steps;
    appendSteps(part, steps);
    return normalizerSequence(std::move(steps));
}

TextNormalizer readStrip(const JsonPart& part)
{
    part.allow({"strip_left", "strip_right"});
    return stripNormalizer(part.flag("strip_left", true), part.flag("strip_right", true));
}

TextNormalizer readReplace(const JsonPart& part)
{
    part.allow({"pattern", "content"});
    return replaceNormalizer(readPattern(part), shortText(part, "content"));
}

TextNormalizer readPrepend(const JsonPart& part)
{
    part.allow({"prepend"});
    return prependNormalizer(shortText(part, "prepend"));
}

TextNormalizer readCharsMap(const JsonPart& part)
{
    part.allow({"precompiled_charsmap"});
    return charsMapNormalizer(
        CharsMap::parse(fromBase64(part.text("precompiled_charsmap", ""), part), part.where()));
}

/// Normalizers that have nothing but a type.
TextNormalizer simpleNormalizer(const std::string& type)
{
    if (type == "NFC")
        return unicodeNormalizer(UnicodeForm::Nfc);
    if (type == "NFD")
        return unicodeNormalizer(UnicodeForm::Nfd);
    if (type == "NFKC")
        return unicodeNormalizer(UnicodeForm::Nfkc);
    if (type == "NFKD")
        return unicodeNormalizer(UnicodeForm::Nfkd);
    if (type == "Lowercase")
        return lowercaseNormalizer();
    if (type == "StripAccents")
        return stripAccentsNormalizer();
    return type == "Nmt" ? nmtNormalizer() : nullptr;
}

} // namespace

TextNormalizer readNormalizer(const JsonPart& part)
{
    const std::string type = part.type();
    if (TextNormalizer simple = simpleNormalizer(type)) {
        part.allow({});
        return simple;
    }
    if (type == "Sequence")
        return readSequence(part);
    if (type == "BertNormalizer")
        return readBert(part);
    if (type == "Strip")
        return readStrip(part);
    if (type == "Replace")
        return readReplace(part);
    if (type == "Prepend")
        return readPrepend(part);
    if (type == "Precompiled")
        return readCharsMap(part);
    part.refuseType();
}

TextPattern readPattern(const JsonPart& part)
{
    const json& pattern = part.get("pattern");
    const bool isOne = pattern.is_object() && pattern.size() == 1 && pattern.front().is_string();
    if (isOne && pattern.contains("String"))
        return TextPattern::literal(pattern.front().get<std::string>());
    if (isOne && pattern.contains("Regex"))
        return TextPattern::regex(pattern.front().get<std::string>(), part.where());
    part.fail("a \"pattern\" is neither a \"String\" nor a \"Regex\"");
}

} // namespace headscope
