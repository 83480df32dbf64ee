#include "core/text/files/pretokenizer_json.h"

#include "core/base/json_text.h"
#include "core/text/files/normalizer_json.h"
#include "core/text/normalizers/piece_normalizer.h"
#include "core/text/splitting/marking_splitters.h"

#include <fmt/format.h>

namespace headscope {

namespace {

SplitBehavior behaviorOf(const JsonPart& part, const std::string& name)
{
    if (name == "Removed")
        return SplitBehavior::Removed;
    if (name == "Isolated")
        return SplitBehavior::Isolated;
    if (name == "MergedWithPrevious")
        return SplitBehavior::MergedWithPrevious;
    if (name == "MergedWithNext")
        return SplitBehavior::MergedWithNext;
    if (name == "Contiguous")
        return SplitBehavior::Contiguous;
    part.fail(fmt::format("the \"behavior\" {} is not supported", inQuotes(name)));
}

WordSplitter readByteLevel(const JsonPart& part, SplitterSpelling& spelling)
{
    part.allow({"add_prefix_space", "trim_offsets", "use_regex"}); // our ranges are exact untrimmed
    spelling.byteLevel = true;
    spelling.addPrefixSpace = part.flag("add_prefix_space", true);
    spelling.splitsWords = part.flag("use_regex", true);
    return byteLevelSplitter(spelling.addPrefixSpace, spelling.splitsWords);
}

WordSplitter readSplit(const JsonPart& part)
{
    part.allow({"pattern", "behavior", "invert"});
    return patternSplitter(readPattern(part), behaviorOf(part, part.text("behavior")),
                           part.flag("invert", false));
}

/// Reads add_prefix_space of old files, or prepend_scheme of newer ones.
PrefixScheme prefixSchemeOf(const JsonPart& part)
{
    const std::string scheme =
        part.text("prepend_scheme", part.flag("add_prefix_space", true) ? "always" : "never");
    if (scheme == "always")
        return PrefixScheme::Always;
    if (scheme == "first")
        return PrefixScheme::First;
    if (scheme == "never")
        return PrefixScheme::Never;
    part.fail(fmt::format("the \"prepend_scheme\" {} is not supported", inQuotes(scheme)));
}

WordSplitter readMetaspace(const JsonPart& part, SplitterSpelling& spelling)
{
    part.allow({"replacement", "add_prefix_space", "prepend_scheme", "split", "str_rep"});
    spelling.space = part.text("replacement", std::string(kPieceSpace));
    if (spelling.space.empty() || spelling.space.size() > 4)
        part.fail("\"replacement\" of a Metaspace is not a single character");
    return metaspaceSplitter(spelling.space, prefixSchemeOf(part), part.flag("split", true));
}

/// Flattens nested sequences into one list of steps.
void appendSteps(const JsonPart& part, SplitterSpelling& spelling, std::vector<WordSplitter>& steps)
{
    part.allow({"pretokenizers"});
    for (const JsonPart& step : part.parts("pretokenizers")) {
        if (spelling.byteLevel)
            part.fail("a pre-tokenizer after ByteLevel is not supported");
        if (step.type() == "Sequence")
            appendSteps(step, spelling, steps);
        else
            steps.push_back(readSplitter(step, spelling));
    }
}

WordSplitter readSequence(const JsonPart& part, SplitterSpelling& spelling)
{
    std::vector<WordSplitter> steps;
    appendSteps(part, spelling, steps);
    spelling.isByteLevelAlone = spelling.byteLevel && steps.size() == 1;
    return splitterSequence(std::move(steps));
}

} // namespace

WordSplitter readSplitter(const JsonPart& part, SplitterSpelling& spelling)
{
    const std::string type = part.type();
    spelling.isByteLevelAlone = type == "ByteLevel";
    if (spelling.isByteLevelAlone)
        return readByteLevel(part, spelling);
    if (type == "Split")
        return readSplit(part);
    if (type == "Metaspace")
        return readMetaspace(part, spelling);
    if (type == "Sequence")
        return readSequence(part, spelling);
    if (type == "Digits") {
        part.allow({"individual_digits"});
        return digitsSplitter(part.flag("individual_digits", false));
    }
    if (type == "Punctuation") {
        part.allow({"behavior"});
        return punctuationSplitter(behaviorOf(part, part.text("behavior", "Isolated")));
    }
    if (type != "Whitespace" && type != "WhitespaceSplit" && type != "BertPreTokenizer")
        part.refuseType();
    part.allow({});
    if (type == "Whitespace")
        return whitespaceSplitter();
    return type == "WhitespaceSplit" ? spacesSplitter() : bertSplitter();
}

} // namespace headscope
