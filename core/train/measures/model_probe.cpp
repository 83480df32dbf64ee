#include "core/train/measures/model_probe.h"

#include "core/base/error.h"
#include "core/tensor/largest.h"
#include "core/train/measures/pattern_keeper.h"

#include <algorithm>

#include <fmt/format.h>

namespace headscope {

namespace {

bool overlap(ByteRange a, ByteRange b)
{
    return a.begin < b.end && b.begin < a.end;
}

/// The last token with a byte in `range`.
std::size_t lastTokenIn(const TokenSequence& tokens, ByteRange range)
{
    for (std::size_t i = tokens.size(); i-- > 0;) {
        if (overlap(tokens.tokens[i].bytes, range))
            return i;
    }
    throw Error("no token covers this range",
                fmt::format("bytes {} to {}", range.begin, range.end));
}

double attentionOnRange(const float* row, const TokenSequence& tokens, ByteRange range)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (overlap(tokens.tokens[i].bytes, range))
            sum += static_cast<double>(row[i]);
    }
    return sum;
}

const float* lastRow(const Tensor& logits)
{
    return &logits.view()(logits.shape()[0] - 1, 0);
}

} // namespace

ModelProbe::ModelProbe(const Model& model, const Tokenizer& tokenizer, AttentionBackend& backend)
    : m_model(model)
    , m_tokenizer(tokenizer)
    , m_backend(backend)
{
}

TokenSequence ModelProbe::encode(const std::string& text) const
{
    TokenSequence tokens = m_tokenizer.encode(text, false);
    if (const auto mark = m_tokenizer.endOfText())
        tokens.tokens.insert(tokens.tokens.begin(), Token{*mark, {}, true});
    return tokens;
}

bool ModelProbe::fits(const std::string& text) const
{
    return std::ssize(encode(text)) <= m_model.config().maxLen;
}

Tensor ModelProbe::logits(std::span<const TokenId> ids)
{
    KvCache cache(m_model.config());
    return m_model.forward(ids, m_backend, cache);
}

std::vector<Tensor> ModelProbe::patterns(std::span<const TokenId> ids)
{
    PatternKeeper keeper(Site::Pattern);
    KvCache cache(m_model.config());
    m_model.forward(ids, m_backend, cache, &keeper);
    return std::move(keeper.patterns);
}

bool ModelProbe::givesAll(const ContinuationCase& question)
{
    const std::vector<TokenId> whole = encode(question.prompt + question.right).ids();
    const std::size_t known = encode(question.prompt).size();
    const Tensor all = logits(whole);
    for (std::size_t i = known; i < whole.size(); ++i) {
        const float* row = &all.view()(i - 1, 0);
        if (largestIndex({row, static_cast<std::size_t>(all.shape()[1])}) != whole[i])
            return false;
    }
    return true;
}

bool ModelProbe::passes(const ContinuationCase& question)
{
    if (question.wrong.empty())
        return givesAll(question);
    const auto right = encode(question.prompt + question.right).ids();
    const auto wrong = encode(question.prompt + question.wrong).ids();
    const auto shorter = std::min(right.size(), wrong.size());
    const auto differ = std::mismatch(
        right.begin(), right.begin() + static_cast<std::ptrdiff_t>(shorter), wrong.begin());
    const std::size_t common = differ.first - right.begin();
    if (common == 0 || common == shorter)
        throw Error(fmt::format("\"{}\" and \"{}\" are not two different continuations",
                                question.right, question.wrong),
                    question.prompt);
    const Tensor scores = logits(std::span(right).first(common));
    return lastRow(scores)[right[common]] > lastRow(scores)[wrong[common]];
}

double ModelProbe::fractionOfPassed(const std::vector<ContinuationCase>& questions)
{
    const auto passed = std::count_if(questions.begin(), questions.end(),
                                      [this](const auto& question) { return passes(question); });
    return static_cast<double>(passed) / static_cast<double>(questions.size());
}

std::vector<std::vector<double>> ModelProbe::attentionOn(const AttentionTargetCase& question)
{
    const TokenSequence tokens = encode(question.text);
    const std::size_t query = lastTokenIn(tokens, question.query);
    std::vector<std::vector<double>> result;
    for (const Tensor& pattern : patterns(tokens.ids())) {
        auto& heads = result.emplace_back();
        for (std::int64_t head = 0; head < pattern.shape()[0]; ++head) {
            const float* row = &pattern.view()(head, query, 0);
            double value = attentionOnRange(row, tokens, question.key);
            if (question.contrast)
                value -= attentionOnRange(row, tokens, *question.contrast);
            heads.push_back(value);
        }
    }
    return result;
}

} // namespace headscope
