#include "core/text/splitting/split_rules.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/text/normalizers/unicode_normalizer.h"
#include "core/text/splitting/marking_splitters.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace headscope {

namespace {

// The expressions are those of the models' own tokenizer.json.
constexpr std::string_view kLlama3 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kQwen2 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kQwen35 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kBloom = R"( ?[^(\s|[.,!?…。，、।۔،])]+)";
constexpr std::string_view kTekken =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kGpt4o =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

enum Flags : unsigned {
    Plain = 0,
    EachDigit = 1, ///< Splits off single digits first.
    Gpt2Words = 2, ///< Then splits into GPT-2's words.
    Nfc = 4,       ///< Composes characters.
    IgnoreMerges = 8,
    AddBos = 16,
};

struct Named
{
    std::string_view name;
    std::string_view expression;
    unsigned flags;
};

constexpr std::array kRules{
    Named{"gpt-2", "", Gpt2Words},
    Named{"default", "", Gpt2Words},
    Named{"phi-2", "", Gpt2Words},
    Named{"jais", "", Gpt2Words},
    Named{"exaone4", "", Gpt2Words},
    Named{"gigachat", "", Gpt2Words},
    Named{"modern-bert", "", Gpt2Words},
    Named{"trillion", "", Gpt2Words},
    Named{"mpt", "", Gpt2Words | Nfc},
    Named{"olmo", "", Gpt2Words | Nfc},
    Named{"gpt-neox", "", Gpt2Words | Nfc},
    Named{"smollm", "", EachDigit | Gpt2Words},
    Named{"starcoder", "", EachDigit | Gpt2Words},
    Named{"refact", "", EachDigit | Gpt2Words},
    Named{"command-r", "", EachDigit | Gpt2Words | Nfc},
    Named{"codeshell", "", EachDigit | Gpt2Words},
    Named{"exaone", "", EachDigit | Gpt2Words},
    Named{"minerva-7b", "", EachDigit | Gpt2Words},
    Named{"llama-bpe", kLlama3, IgnoreMerges | AddBos},
    Named{"llama3", kLlama3, IgnoreMerges | AddBos},
    Named{"llama-v3", kLlama3, IgnoreMerges | AddBos},
    Named{"falcon3", kLlama3, IgnoreMerges | AddBos},
    Named{"falcon-h1", kLlama3, IgnoreMerges | AddBos},
    Named{"pixtral", kLlama3, IgnoreMerges | AddBos},
    Named{"lfm2", kLlama3, IgnoreMerges | AddBos},
    Named{"dbrx", kLlama3, Plain},
    Named{"smaug-bpe", kLlama3, Plain},
    Named{"chatglm-bpe", kLlama3, Plain},
    Named{"glm4", kLlama3, Plain},
    Named{"qwen2", kQwen2, Nfc},
    Named{"deepseek-r1-qwen", kQwen2, Nfc},
    Named{"megrez", kQwen2, Nfc},
    Named{"stablelm2", kQwen2, Plain},
    Named{"hunyuan", kQwen2, Plain},
    Named{"grok-2", kQwen2, Plain},
    Named{"qwen35", kQwen35, Nfc},
    Named{"bloom", kBloom, Plain},
    Named{"poro-chat", kBloom, Plain},
    Named{"gpt3-finnish", kBloom, Plain},
    Named{"tekken", kTekken, IgnoreMerges | AddBos},
    Named{"gpt-4o", kGpt4o, Plain},
    Named{"llama4", kGpt4o, Plain},
};

const Named& ruleNamed(std::string_view name, const std::string& where)
{
    const auto* const found = std::ranges::find(kRules, name, &Named::name);
    if (found != kRules.end())
        return *found;
    throw FormatError(
        fmt::format("the vocabulary's split rule {} is not supported", inQuotes(name)), where,
        std::nullopt, nearestNameAdvice(name, kRules, &Named::name));
}

} // namespace

SplitRule splitRule(std::string_view name, bool addPrefixSpace, const std::string& where)
{
    const Named& named = ruleNamed(name.empty() ? "default" : name, where);
    const auto has = [&](Flags flag) { return (named.flags & flag) != 0; };
    std::vector<WordSplitter> steps;
    if (has(EachDigit))
        steps.push_back(digitsSplitter(true));
    if (!named.expression.empty())
        steps.push_back(patternSplitter(TextPattern::regex(std::string(named.expression), where),
                                        SplitBehavior::Isolated, false));
    steps.push_back(byteLevelSplitter(addPrefixSpace, has(Gpt2Words)));
    SplitRule rule;
    rule.splitter = splitterSequence(std::move(steps));
    if (has(Nfc))
        rule.normalizer = unicodeNormalizer(UnicodeForm::Nfc);
    rule.ignoreMerges = has(IgnoreMerges);
    rule.addBos = has(AddBos);
    return rule;
}

} // namespace headscope
