// labels: threads
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/lessons/labs/text/training_text.h"
#include "core/text/splitting/pretokenizer.h"
#include "core/text/training/bpe_trainer.h"
#include "tests/core/lessons/lab_runs.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <thread>

using namespace headscope;
using namespace headscope::test;

namespace {

const LabTokens& tokensIn(const LabResult& result, std::size_t panel = 0)
{
    return std::get<LabTokens>(result.panels.at(panel).plot);
}

/// "un|happi|ness"
std::string cut(const LabTokens::Row& row)
{
    std::string words;
    for (const auto& token : row.tokens)
        words += (words.empty() ? "" : "|") + token.text;
    return words;
}

/// With spaces for middle dots.
std::string plain(std::string text)
{
    for (std::size_t at = 0; (at = text.find("\u00B7")) != std::string::npos;)
        text.replace(at, 2, " ");
    return text;
}

/// The most frequent pair of neighbours inside the words of what is cut so far.
std::int64_t largestPairCount(const std::string& text, const std::vector<std::string>& merged)
{
    std::map<std::pair<std::string, std::string>, std::int64_t> counts;
    for (const ByteRange& word : splitWords(text)) {
        std::vector<std::string> symbols;
        for (std::size_t i = word.begin; i < word.end; ++i)
            symbols.push_back(text.substr(i, 1));
        for (const std::string& target : merged)
            for (std::size_t i = 0; i + 1 < symbols.size(); ++i)
                if (symbols[i] + symbols[i + 1] == target) {
                    symbols[i] = target;
                    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(i) + 1);
                }
        for (std::size_t i = 0; i + 1 < symbols.size(); ++i)
            ++counts[{symbols[i], symbols[i + 1]}];
    }
    std::int64_t largest = 0;
    for (const auto& [pair, count] : counts)
        largest = std::max(largest, count);
    return largest;
}

} // namespace

class TstTextLabs : public QObject
{
    Q_OBJECT

private slots:

    void everyLabCanBeDrawnAtAllEndsOfItsControls()
    {
        for (const Lab& lab : labsOf(LabSubject::Text)) {
            QVERIFY2(lab.controls.size() >= 2 && lab.controls.size() <= 4, lab.name.c_str());
            for (const LabControl& control : lab.controls) {
                std::vector<std::string> values{control.initial};
                if (control.kind == LabControl::Kind::Number)
                    values = {fmtNumber(control.low), fmtNumber(control.high)};
                for (const std::string& value : values) {
                    const LabResult result = runLab(lab.name, {{control.name, value}});
                    QVERIFY2(flawOf(lab, result).empty(), flawOf(lab, result).c_str());
                }
            }
        }
    }

    /// T6: the layers tell the banks apart, the embedding and the static vector do not.
    void t6TheVectorOfAWordDependsOnItsContext()
    {
        const LabResult result = runLab("word-in-context");
        const auto& chart = std::get<LabChart>(result.panels.at(0).plot);
        QCOMPARE(chart.series.size(), std::size_t{5}); // three pairs, other words, static
        for (const auto& series : chart.series)
            QCOMPARE(series.y.size(), std::size_t{5}); // embeddings and four layers
        QVERIFY(valueOf(result, "first_12") > valueOf(result, "last_12"));
        QCOMPARE(valueOf(result, "last_12"), chart.series[0].y.back());
        QVERIFY(valueOf(result, "last_12") < 0.98);
        QVERIFY(valueOf(result, "last_12") > valueOf(result, "others"));
        QVERIFY(near(valueOf(result, "static"), 1.0, 1e-9));
        for (const double y : chart.series.back().y)
            QCOMPARE(y, valueOf(result, "static"));
        const auto& near10 = std::get<LabTable>(result.panels.at(1).plot);
        QCOMPARE(near10.rows.size(), std::size_t{10});
        QCOMPARE(near10.rows[0][1], fmt::format("{:.3f}", valueOf(result, "nearest")));
    }

    void t6EqualContextsGiveEqualVectors()
    {
        const LabSet same{{"sentence_1", "Tom sat on the bank"},
                          {"sentence_2", "Tom sat on the bank by the river"},
                          {"sentence_3", ""}};
        for (const char* model : {"builtin:stories", "builtin:repeat"}) {
            const LabResult result = runLab("word-in-context", same, openContext(model));
            const auto& chart = std::get<LabChart>(result.panels.at(0).plot);
            QCOMPARE(chart.series.size(), std::size_t{3});
            for (const double y : chart.series[0].y) // what follows is masked
                QVERIFY2(near(y, 1.0, 1e-6), model);
        }
        // an encoder sees what follows
        const LabResult encoder = runLab("word-in-context", same, openContext("builtin:dates"));
        QVERIFY(valueOf(encoder, "last_12") < 1.0 - 1e-6);
    }

    void t6AWordThatIsMissingIsSaid()
    {
        const auto said = [](const LabSet& set) {
            return whatIsThrown([&] { runLab("word-in-context", set); });
        };
        QVERIFY(said({{"word", "river"}}).find("sentence 2 has no word \"river\"") !=
                std::string::npos);
        QVERIFY(said({{"word", "ban"}}).find("sentence 1") != std::string::npos);
        QVERIFY(said({{"word", ""}}).find("no word to follow") != std::string::npos);
        const LabResult unknown = runLab("word-in-context", {{"word", "zebra"},
                                                             {"sentence_1", "A zebra sat"},
                                                             {"sentence_2", "The zebra"},
                                                             {"sentence_3", ""}});
        QCOMPARE(valueOf(unknown, "is_known"), 0.0);
        QCOMPARE(unknown.panels.size(), std::size_t{1});
    }

    void t1MergesAreTheMostFrequentPairsAndGiveBackEveryByte()
    {
        const std::string text = "unhappy happy unhappiness happiness unkind kind kindness";
        std::vector<std::string> merged;
        std::size_t tokens = text.size();
        for (int done = 0; done <= 12; ++done) {
            const LabResult result =
                runLab("bpe-merges", {{"text", text}, {"merges", std::to_string(done)}});
            const auto& row = tokensIn(result).rows.front();
            std::string whole;
            for (const auto& token : row.tokens) {
                QCOMPARE(token.begin, static_cast<std::int64_t>(whole.size()));
                whole += text.substr(static_cast<std::size_t>(token.begin),
                                     static_cast<std::size_t>(token.end - token.begin));
            }
            QCOMPARE(whole, text);
            QCOMPARE(result.number("tokens").value, static_cast<double>(row.tokens.size()));
            if (done > 0) {
                const double count = result.number("count").value;
                QCOMPARE(count, static_cast<double>(largestPairCount(text, merged)));
                const auto& table = std::get<LabTable>(result.panels.at(1).plot);
                merged.push_back(plain(table.rows.back().at(3)));
                QCOMPARE(plain(table.rows.back().at(1) + table.rows.back().at(2)), merged.back());
                QCOMPARE(row.tokens.size(), tokens - static_cast<std::size_t>(count));
                QVERIFY(std::ranges::any_of(row.tokens, [&](const auto& token) {
                    return token.isNew && plain(token.text) == merged.back();
                }));
            }
            tokens = row.tokens.size();
        }
    }

    void t1EndsWhenNoPairIsThereTwice()
    {
        const LabResult result = runLab("bpe-merges", {{"text", "abab"}, {"merges", "200"}});
        QCOMPARE(result.number("merges").value, 1.0);
        QCOMPARE(result.number("tokens").value, 2.0);
        const LabResult none = runLab("bpe-merges", {{"text", "q"}});
        QCOMPARE(none.number("possible").value, 0.0);
        QCOMPARE(none.number("bytes_per_token").value, 1.0);
    }

    void t4UnhappinessIsCutAsTheCurriculumSays()
    {
        const LabResult result = runLab("tokenizers");
        const auto& rows = tokensIn(result).rows;
        QCOMPARE(cut(rows[0]), std::string("un|happi|ness"));
        QCOMPARE(cut(rows[2]), std::string("\u2581un|happiness"));
        QVERIFY(rows[1].tokens.front().text == "un" &&
                rows[1].tokens.back().text.starts_with("##"));
        const LabResult larger = runLab("tokenizers", {{"vocabulary", "1000"}});
        QCOMPARE(cut(tokensIn(larger).rows[0]), std::string("un|happiness"));
        QCOMPARE(result.number("bpe_bytes_per_token").value, 11.0 / 3.0);
        QCOMPARE(result.number("unigram_tokens").value, 2.0);
    }

    void t4BytesOfEachTokenAreThoseOfTheText()
    {
        const std::string text = "Unkind caf\u00E9s, 12 \u65E5\u672C";
        const LabResult result = runLab("tokenizers", {{"text", text}});
        for (const auto& row : tokensIn(result).rows) {
            QVERIFY(!row.tokens.empty());
            std::int64_t last = 0;
            for (const auto& token : row.tokens) {
                QVERIFY(token.id >= 0 && token.begin >= last &&
                        token.end <= static_cast<std::int64_t>(text.size()));
                last = token.end;
            }
            QVERIFY(row.note.find("bytes each") != std::string::npos);
        }
        QCOMPARE(result.number("bytes").value, static_cast<double>(text.size()));
    }

    void t2t3OtherWordsThanThoseOfTheTextAreCutByTheirParts()
    {
        QVERIFY(labTrainingText().find("unsadness") == std::string::npos);
        const LabResult result = runLab("tokenizers", {{"text", "unsadness"}});
        const auto& rows = tokensIn(result).rows;
        QVERIFY(cut(rows[2]).starts_with("\u2581un"));
        QVERIFY(cut(rows[2]).ends_with("ness"));
        std::string whole;
        for (const auto& token : rows[1].tokens)
            whole += token.text.substr(whole.empty() ? 0 : 2);
        QCOMPARE(whole, std::string("unsadness"));
        QVERIFY(rows[1].tokens.size() > 1);
    }

    void awkwardTextsAreCutOrRefusedInASentence()
    {
        for (const char* lab : {"tokenizers", "bpe-merges"}) {
            QVERIFY_EXCEPTION_THROWN(runLab(lab, {{"text", ""}}), Error);
            for (const std::string& text :
                 {std::string(" "), std::string("\n\t "), std::string("\u0001\u200B"),
                  std::string(100'000, 'a'), std::string("\U0001F642\u0301")})
                QCOMPARE(flawOf(catalogueLab(lab), runLab(lab, {{"text", text}})), std::string());
        }
    }

    void severalMayAskAtOnce()
    {
        std::vector<std::thread> threads;
        std::array<std::string, 4> cuts;
        for (std::size_t i = 0; i < cuts.size(); ++i)
            threads.emplace_back([i, &cuts] {
                const std::string size = std::to_string(500 + i % 2);
                const LabResult result = runLab("tokenizers", {{"vocabulary", size}});
                cuts[i] = cut(tokensIn(result).rows.front());
            });
        for (std::thread& thread : threads)
            thread.join();
        QCOMPARE(cuts[0], cuts[2]);
        QCOMPARE(cuts[1], cuts[3]);
    }

private:
    static std::string fmtNumber(double value) { return std::to_string(std::llround(value)); }
};

HEADSCOPE_TEST(TstTextLabs)
#include "tst_text_labs.moc"
