#include "core/lessons/labs/lab.h"
#include "core/train/measures/bleu.h"
#include "core/train/phrases/phrase_book.h"

#include <fmt/format.h>

#include <sstream>

namespace headscope {

namespace {

std::vector<std::string> unitsOf(const std::string& text, bool areWords)
{
    std::istringstream stream(text);
    std::vector<std::string> units;
    for (std::string word; stream >> word;) {
        if (areWords)
            units.push_back(word);
        else
            for (std::string& character : charactersOf(word))
                units.push_back(std::move(character));
    }
    return units;
}

LabTable tableOf(const Bleu& bleu)
{
    LabTable table{{"n", "n-grams of the candidate", "of these in the reference", "precision"}};
    for (std::size_t order = 1; order <= Bleu::kOrders; ++order)
        table.rows.push_back({fmt::format("{}", order), fmt::format("{}", bleu.total(order)),
                              fmt::format("{}", bleu.matches(order)),
                              fmt::format("{:.3f}", bleu.precision(order))});
    return table;
}

LabBars barsOf(const Bleu& bleu)
{
    LabBars bars;
    for (std::size_t order = 1; order <= Bleu::kOrders; ++order)
        bars.bars.push_back({fmt::format("p{}", order), bleu.precision(order)});
    bars.bars.push_back({"BP", bleu.brevityPenalty()});
    bars.bars.push_back({"BLEU", bleu.score(), {}, true});
    return bars;
}

} // namespace

LabResult runBleu(const LabSettings& settings, const LabContext&, const std::stop_token&)
{
    const bool areWords = settings.text("units") == "words";
    const auto candidate = unitsOf(settings.text("candidate"), areWords);
    const auto reference = unitsOf(settings.text("reference"), areWords);
    Bleu bleu;
    bleu.add(candidate, reference);
    LabResult result;
    result.panels = {
        {"Counts", "A match counts at most as often as in the reference", tableOf(bleu)},
        {"Precisions, brevity penalty, BLEU",
         "BLEU: the penalty times the geometric mean of the precisions", barsOf(bleu)}};
    result.numbers = {{"bleu", "BLEU", 100.0 * bleu.score()}};
    for (std::size_t order = 1; order <= Bleu::kOrders; ++order)
        result.numbers.push_back(
            {fmt::format("p{}", order), fmt::format("p{}", order), bleu.precision(order)});
    const auto length = [](const std::vector<std::string>& units) {
        return static_cast<double>(units.size());
    };
    result.numbers.push_back({"penalty", "Brevity penalty", bleu.brevityPenalty()});
    result.numbers.push_back({"candidate_length", "Candidate length", length(candidate)});
    result.numbers.push_back({"reference_length", "Reference length", length(reference)});
    result.sentence = fmt::format(
        "BLEU = {:.3f} \u00B7 ({:.3f} \u00B7 {:.3f} \u00B7 {:.3f} \u00B7 {:.3f})^(1/4) = {:.1f} %.",
        bleu.brevityPenalty(), bleu.precision(1), bleu.precision(2), bleu.precision(3),
        bleu.precision(4), 100.0 * bleu.score());
    return result;
}

} // namespace headscope
