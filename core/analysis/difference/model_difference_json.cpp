#include "core/analysis/difference/model_difference_json.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace headscope {

namespace {

using Json = nlohmann::json;

Json numberOrNull(double value)
{
    return std::isfinite(value) ? Json(value) : Json();
}

Json tokenJson(const Tokenizer& tokenizer, TokenId id)
{
    return {{"id", id}, {"token", storedTokenText(tokenizer, id)}};
}

Json predictionJson(const Tokenizer& tokenizer, TokenId id, double probability)
{
    Json json = tokenJson(tokenizer, id);
    json["probability"] = numberOrNull(probability);
    return json;
}

} // namespace

std::string storedTokenText(const Tokenizer& tokenizer, TokenId id)
{
    const bool isKnown = id >= 0 && static_cast<std::size_t>(id) < tokenizer.vocabularySize();
    return isKnown ? tokenizer.tokenText(id) : "#" + std::to_string(id);
}

Json headsJson(const TraceDifference& difference)
{
    if (difference.heads.empty())
        return {{"missing", difference.headsMissing}};
    Json list = Json::array();
    for (const HeadDifference& one : ranked(difference.heads)) {
        Json json{{"layer", one.head.layer},
                  {"head", one.head.head},
                  {"js_bits", numberOrNull(one.divergence)},
                  {"largest_js_bits", numberOrNull(one.largest)},
                  {"largest_at", one.query < 0 ? Json() : Json(one.query)}};
        if (const std::string part = toString(one.head.attention); !part.empty())
            json["part"] = part;
        list.push_back(std::move(json));
    }
    return {{"ranked", std::move(list)}, {"unmatched", difference.unmatchedHeads}};
}

Json tokensJson(const TraceDifference& difference, const Tokenizer& tokenizer)
{
    if (difference.tokens.empty())
        return {{"missing", difference.tokensMissing}};
    Json list = Json::array();
    for (const TokenDifference& one : ranked(difference.tokens)) {
        const PredictionDivergence& prediction = one.prediction;
        Json json = tokenJson(tokenizer, one.id);
        json["position"] = one.position;
        json["kl_bits"] = numberOrNull(prediction.bits);
        json["top_a"] = predictionJson(tokenizer, prediction.topA, prediction.probabilityA);
        json["top_b"] = predictionJson(tokenizer, prediction.topB, prediction.probabilityB);
        list.push_back(std::move(json));
    }
    return {{"ranked", std::move(list)}, {"mean_kl_bits", numberOrNull(difference.meanBits())}};
}

Json toJson(const WeightDifference& difference)
{
    Json list = Json::array();
    for (const MatrixDifference& one : ranked(difference.matrices)) {
        Json json{{"name", one.name},
                  {"relative", numberOrNull(one.relative)},
                  {"difference", numberOrNull(one.difference)},
                  {"shared", one.isShared}};
        json["norm"] = one.isShared ? Json() : numberOrNull(one.norm);
        json["format_a"] = one.formatA.empty() ? "F32" : one.formatA;
        json["format_b"] = one.formatB.empty() ? "F32" : one.formatB;
        list.push_back(std::move(json));
    }
    return {{"ranked", std::move(list)},
            {"unmatched", difference.unmatched},
            {"relative", numberOrNull(difference.relative())}};
}

Json toJson(const std::vector<TextDifference>& texts)
{
    Json list = Json::array();
    for (const TextDifference& one : ranked(texts)) {
        if (!one.problem.empty()) {
            list.push_back({{"text", one.text}, {"missing", one.problem}});
            continue;
        }
        list.push_back({{"text", one.text},
                        {"tokens", one.tokens},
                        {"mean_kl_bits", numberOrNull(one.meanBits)},
                        {"largest_kl_bits", numberOrNull(one.largestBits)},
                        {"largest_at", one.largestAt}});
    }
    return list;
}

} // namespace headscope
