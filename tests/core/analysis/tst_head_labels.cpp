#include "core/analysis/labels/head_labels.h"

#include "core/analysis/derivation/pair_attentions.h"
#include "core/analysis/heads/head_tokens.h"
#include "core/base/error.h"
#include "core/io/checkpoint.h"
#include "core/model/pass/tracer.h"
#include "core/text/tokenizers/id_tokenizer.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <cmath>
#include <functional>

using namespace headscope;

namespace {

using Kinds = std::vector<HeadLabelKind>;

/// What one query gives one key, before its row is made to sum to 1.
using Rule = std::function<double(int query, int key)>;

constexpr double kAlmostNothing = 1e-4;

Rule on(const std::function<bool(int, int)>& cells)
{
    return [cells](int query, int key) { return cells(query, key) ? 1.0 : kAlmostNothing; };
}

std::shared_ptr<const Tensor> patternOf(int tokens, const Rule& rule)
{
    auto pattern = std::make_shared<Tensor>(Shape{1, tokens, tokens});
    for (int query = 0; query < tokens; ++query) {
        double sum = 0.0;
        for (int key = 0; key <= query; ++key)
            sum += rule(query, key);
        for (int key = 0; key <= query; ++key)
            pattern->view()(0, query, key) = static_cast<float>(rule(query, key) / sum);
    }
    return pattern;
}

TracePtr traceOf(const std::vector<TokenId>& ids, const Rule& rule)
{
    TokenSequence tokens;
    for (const TokenId id : ids)
        tokens.tokens.push_back({id, {}, false});
    return std::make_shared<const Trace>(
        tokens,
        Trace::Activations{
            {TraceKey{Site::Pattern, 0}, patternOf(static_cast<int>(ids.size()), rule)}},
        TraceInfo{});
}

/// Random-looking tokens, said twice.
std::vector<TokenId> repeatedIds()
{
    std::vector<TokenId> ids;
    for (int index = 0; index < 64; ++index)
        ids.push_back(100 + index % 32);
    return ids;
}

/// Ten texts of twelve tokens that share none; each has a verb at 8, its subject at 3 and another
/// noun at 6.
HeadSurvey surveyOf(const std::function<Rule(int text)>& rule, PairKind kind)
{
    HeadSurvey survey;
    for (int text = 0; text < 10; ++text) {
        std::vector<TokenId> ids;
        for (int index = 0; index < 12; ++index)
            ids.push_back(12 * text + index);
        survey.samples.push_back(traceOf(ids, rule(text)));
        survey.pairs.push_back({kind, text, {8, 9}, {3, 4}, {6, 7}});
    }
    auto repeats = std::make_shared<RepeatsProbe>();
    HeadScoreOptions options;
    options.period = repeats->period = 32;
    repeats->texts = 1;
    repeats->example = traceOf(repeatedIds(), rule(0));
    repeats->tables = scoreTrace(*repeats->example, options);
    survey.repeats = repeats;
    survey.tables = scoreTrace(*survey.samples.front());
    survey.attendedPairs = pairAttentions(survey.samples, survey.pairs);
    return survey;
}

Kinds kindsOf(const HeadLabelTables& tables)
{
    Kinds kinds;
    for (const HeadLabel& label : tables.at(AttentionKind::Self).at({0, 0}))
        kinds.push_back(label.kind);
    return kinds;
}

QByteArray namesOf(const Kinds& kinds)
{
    QByteArray names;
    for (const HeadLabelKind kind : kinds)
        names += QByteArray(ruleOf(kind).key.data()) + ' ';
    return names;
}

LoadedModel shipped(const std::string& name)
{
    return loadCheckpoint(std::string(HEADSCOPE_SOURCE_DIR) + "/resources/models/" + name +
                          "/model.safetensors");
}

} // namespace

Q_DECLARE_METATYPE(std::function<Rule(int)>)
Q_DECLARE_METATYPE(Kinds)

class TstHeadLabels : public QObject
{
    Q_OBJECT

private slots:

    void eachPatternHasItsLabelAndNoOther_data()
    {
        QTest::addColumn<std::function<Rule(int)>>("rule");
        QTest::addColumn<int>("pair");
        QTest::addColumn<Kinds>("kinds");
        using enum HeadLabelKind;
        const auto always = [](const Rule& rule) {
            return std::function<Rule(int)>([rule](int) { return rule; });
        };
        const auto verbs = static_cast<int>(PairKind::SubjectVerb);
        const auto nouns = static_cast<int>(PairKind::Coreference);
        QTest::newRow("previous token")
            << always(on([](int q, int k) { return k == std::max(q - 1, 0); })) << verbs
            << Kinds{PreviousToken};
        QTest::newRow("induction") << always(on([](int q, int k) {
            return q >= 32 ? k == q - 31 : (5 * q + 3) % 7 % (q + 1) == k;
        })) << verbs << Kinds{Induction};
        QTest::newRow("duplicate") << always(on([](int q, int k) {
            return q >= 32 ? k == q - 32 : (5 * q + 3) % 7 % (q + 1) == k;
        })) << verbs << Kinds{DuplicateToken};
        QTest::newRow("sink") << always(on([](int, int k) { return k == 0; })) << verbs
                              << Kinds{FirstTokenSink};
        QTest::newRow("broad") << always([](int, int) { return 1.0; }) << verbs << Kinds{Broad};
        QTest::newRow("verb to subject") << scattered(true) << verbs << Kinds{SyntaxLike};
        QTest::newRow("pronoun to noun") << scattered(true) << nouns << Kinds{CoreferenceLike};
        QTest::newRow("none") << scattered(false) << verbs << Kinds{};
    }

    void eachPatternHasItsLabelAndNoOther()
    {
        QFETCH(const std::function<Rule(int)>, rule);
        QFETCH(const int, pair);
        QFETCH(const Kinds, kinds);
        const HeadSurvey survey = surveyOf(rule, static_cast<PairKind>(pair));
        const HeadLabelTables tables = labelHeads(survey);
        QCOMPARE(namesOf(kindsOf(tables)), namesOf(kinds));
        for (const HeadLabel& label : tables.at(AttentionKind::Self).at({0, 0})) {
            QVERIFY(label.strength >= ruleOf(label.kind).threshold);
            QCOMPARE(label.strength, label.measures.front().value);
            QVERIFY(!label.sentence.empty() && !label.measuredOn.empty());
            QVERIFY(label.text && !label.cells.empty());
            QVERIFY(label.cells.size() <= kEvidenceCells);
            const auto pattern = label.text->find({Site::Pattern, 0});
            for (const EvidenceCell& cell : label.cells)
                QCOMPARE(cell.weight, double{pattern->view()(0, cell.query, cell.key)});
        }
    }

    void aHeadOfOnePlaceIsPositionalOnlyWhenTextsDoNotChangeIt()
    {
        HeadSurvey survey =
            surveyOf([](int) { return on([](int q, int k) { return k == std::max(q - 3, 0); }); },
                     PairKind::SubjectVerb);
        HeadScoreTable& table = survey.tables.at(AttentionKind::Self);
        table.put({0, 0}, HeadScore::Variability, 0.05);
        const HeadLabelTables labels = labelHeads(survey);
        const HeadLabel* label =
            labels.at(AttentionKind::Self).find({0, 0}, HeadLabelKind::Positional);
        QVERIFY(label);
        QVERIFY(label->measures.at(1).name.find("3 back") != std::string::npos);
        QCOMPARE(label->cells.front().query - label->cells.front().key, 3);
        table.put({0, 0}, HeadScore::Variability, 0.5);
        QVERIFY(
            !labelHeads(survey).at(AttentionKind::Self).find({0, 0}, HeadLabelKind::Positional));
    }

    void aVerbIsNotSyntaxWhenTheHeadLooksAsFarBackEverywhere()
    {
        const HeadSurvey survey =
            surveyOf([](int) { return on([](int q, int k) { return k == std::max(q - 5, 0); }); },
                     PairKind::SubjectVerb);
        QVERIFY(survey.attendedPairs.at(AttentionKind::Self).front().front().weight > 0.9);
        QVERIFY(
            !labelHeads(survey).at(AttentionKind::Self).find({0, 0}, HeadLabelKind::SyntaxLike));
    }

    void whatCannotBeMeasuredSaysWhy()
    {
        const TracePtr trace =
            traceOf({1, 2, 3, 4, 5, 6}, on([](int q, int k) { return k == std::max(q - 1, 0); }));
        const HeadLabelTables tables = labelHeads(trace, scoreTrace(*trace));
        const HeadLabelTable& table = tables.at(AttentionKind::Self);
        QCOMPARE(namesOf(kindsOf(tables)), namesOf({HeadLabelKind::PreviousToken}));
        for (const HeadLabelKind kind :
             {HeadLabelKind::Induction, HeadLabelKind::DuplicateToken, HeadLabelKind::SyntaxLike,
              HeadLabelKind::CoreferenceLike, HeadLabelKind::Copying, HeadLabelKind::Positional})
            QVERIFY2(table.notMeasured.contains(kind), ruleOf(kind).key.data());
        QVERIFY(!table.notMeasured.contains(HeadLabelKind::PreviousToken));
    }

    void aCapturedTextThatRepeatsItselfShowsInduction()
    {
        std::vector<TokenId> ids;
        for (int index = 0; index < 16; ++index)
            ids.push_back(index % 8);
        const TracePtr trace = traceOf(
            ids, on([](int q, int k) { return q >= 8 ? k == q - 7 : k == std::min(q, 2); }));
        const HeadLabelTables tables = labelHeads(trace, scoreTrace(*trace));
        QVERIFY(tables.at(AttentionKind::Self).find({0, 0}, HeadLabelKind::Induction));
        QVERIFY(!tables.at(AttentionKind::Self).find({0, 0}, HeadLabelKind::DuplicateToken));
    }

    void oneTokenHasNoLabelAndAllOfThemSayWhy()
    {
        const TracePtr trace = traceOf({4}, [](int, int) { return 1.0; });
        const HeadLabelTables tables = labelHeads(trace, scoreTrace(*trace));
        const HeadLabelTable& table = tables.at(AttentionKind::Self);
        QVERIFY(table.at({0, 0}).empty());
        QCOMPARE(table.notMeasured.size(), std::size_t{kHeadLabelKinds});
        QVERIFY(table.at({3, 9}).empty());
    }

    /// The one that copies in the shipped model is called induction, with its score.
    void theShippedModelsInductionHeadIsFound()
    {
        const HeadSurveyPtr survey = surveyHeads(shipped("repeat"));
        const HeadScoreTable& table = survey->tables.at(AttentionKind::Self);
        const HeadLabelTables labels = labelHeads(*survey);
        const HeadId best = table.ranked(HeadScore::InductionStripe).front();
        const HeadLabel* label =
            labels.at(AttentionKind::Self).find(best, HeadLabelKind::Induction);
        QVERIFY(label);
        QCOMPARE(label->strength, table.at(best, HeadScore::InductionStripe));
        QVERIFY(label->strength > 0.4); // a third of the vocabulary is in no training text
        QVERIFY(label->measures.front().baseline < 0.05);
        for (const EvidenceCell& cell : label->cells)
            QCOMPARE(cell.query - cell.key, survey->repeats->period - 1);
        QVERIFY(!survey->whyNoSamples.empty()); // it knows no words
        QVERIFY(labels.at(AttentionKind::Self).notMeasured.contains(HeadLabelKind::SyntaxLike));
    }

    /// A model that learned nothing has no label that needs learning.
    void aFreshModelHasNoLearnedLabels()
    {
        const HeadLabelTables labels = labelHeads(*surveyHeads(test::tinyModel()));
        const HeadLabelTable& table = labels.at(AttentionKind::Self);
        for (const HeadLabelKind kind :
             {HeadLabelKind::Induction, HeadLabelKind::DuplicateToken, HeadLabelKind::SyntaxLike,
              HeadLabelKind::CoreferenceLike, HeadLabelKind::FirstTokenSink})
            QCOMPARE(table.count(kind), 0);
    }

    /// Latent attention, shared keys, no MLP, one head, two stacks ...: each is surveyed and
    /// labelled, and what it cannot have says why.
    void everyKindOfModelIsSurveyed()
    {
        for (const auto& [name, config] : test::tracedKinds()) {
            LoadedModel model = test::kindModel(config);
            model.tokenizer = std::make_shared<const IdTokenizer>(
                static_cast<std::size_t>(config.vocabularySize));
            const HeadSurveyPtr survey = surveyHeads(model);
            const HeadLabelTables labels = labelHeads(*survey);
            QVERIFY2(labels.empty() == (config.layers == 0), name.c_str());
            for (const auto& [attention, table] : survey->tables) {
                QVERIFY2(labels.contains(attention), name.c_str());
                for (const HeadScoreInfo& info : headScoreInfos())
                    QVERIFY2(table.has(info.score) == table.why(info.score).empty(), name.c_str());
                for (const auto& [kind, why] : labels.at(attention).notMeasured)
                    QVERIFY2(!why.empty() && labels.at(attention).count(kind) == 0, name.c_str());
            }
        }
    }

    void theSurveyTellsItsProgressAndStops()
    {
        double last = 0.0;
        bool rises = true;
        const LoadedModel model = test::tinyModel();
        surveyHeads(model, {}, [&](double fraction) {
            rises = rises && fraction >= last;
            last = fraction;
        });
        QVERIFY(rises);
        QCOMPARE(last, 1.0);
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(surveyHeads(model, stop.get_token()), Cancelled);
        QVERIFY_EXCEPTION_THROWN(surveyHeads({}), Error);
    }

    void marksBecomeWords()
    {
        const SampleSentence sentence =
            markedSentence(PairKind::SubjectVerb, "The *keys to the ~cabinet ?are rusty.");
        QCOMPARE(QString::fromStdString(sentence.text),
                 QString("The keys to the cabinet are rusty."));
        const auto word = [&](ByteRange range) {
            return QString::fromStdString(
                sentence.text.substr(range.begin, range.end - range.begin));
        };
        QCOMPARE(word(sentence.pair.key), QString("keys"));
        QCOMPARE(word(*sentence.pair.contrast), QString("cabinet"));
        QCOMPARE(word(sentence.pair.query), QString("are"));
        for (const char* incomplete : {"no *marks here", "no ?marks here", "~no ?marks"})
            QVERIFY_EXCEPTION_THROWN(markedSentence(PairKind::SubjectVerb, incomplete), Error);
        for (const SampleSentence& sample : headSamples()) {
            QVERIFY(sample.pair.key.begin > 0);
            QVERIFY(sample.pair.key.end < sample.pair.query.begin);
        }
    }

    void attentionToAPairIsThatToItsKey()
    {
        const auto rule = [](int) {
            return on([](int q, int k) { return q == 8 ? k == 3 || k == 4 : k == 0; });
        };
        const HeadSurvey survey = surveyOf(rule, PairKind::SubjectVerb);
        const PairAttention& got = survey.attendedPairs.at(AttentionKind::Self)
                                       .at(0)
                                       .at(static_cast<std::size_t>(PairKind::SubjectVerb));
        QCOMPARE(got.pairs, 10);
        QVERIFY(std::abs(got.weight - 0.5) < 1e-3); // the other half goes to the next token
    }

    void topTokensAverageOverTheQueriesThatSeeThem()
    {
        const TracePtr trace = traceOf({9, 5, 6, 7}, on([](int, int) { return true; }));
        const std::vector<TokenWeight> keys = topTokens({trace}, {0, 0}, 3).keys;
        const std::vector<std::pair<TokenId, double>> expected{
            {5, (1.0 / 2 + 1.0 / 3 + 1.0 / 4) / 3}, {6, (1.0 / 3 + 1.0 / 4) / 2}, {7, 1.0 / 4}};
        QCOMPARE(keys.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QCOMPARE(keys[i].id, expected[i].first);
            QVERIFY(std::abs(keys[i].weight - expected[i].second) < 1e-3);
        }
    }

    void topTokensLeaveTheFirstPositionOut()
    {
        const TracePtr trace =
            traceOf({9, 5, 6, 5, 7}, on([](int q, int k) { return q == 4 ? k == 3 : k == 0; }));
        const HeadTokens tokens = topTokens({trace}, {0, 0}, 2);
        QCOMPARE(tokens.queries.front().id, 7);
        QVERIFY(tokens.queries.front().weight > 0.9);
        QVERIFY(tokens.queries.at(1).weight < 0.01); // the others rest on the first token
        QCOMPARE(tokens.keys.front().id, 5);
        QCOMPARE(tokens.keys.front().places, 2);
        QCOMPARE(tokens.keys.size(), std::size_t{2});
    }

private:
    /// Looks at a place that changes from text to text and row to row; `pairs`: and from the verb
    /// to its subject.
    static std::function<Rule(int)> scattered(bool pairs)
    {
        return [pairs](int text) {
            return on([pairs, text](int query, int key) {
                if (pairs && query == 8)
                    return key == 3;
                return key == 1 + (text * 5 + query * 3) % std::max(query, 1);
            });
        };
    }
};

HEADSCOPE_TEST(TstHeadLabels)
#include "tst_head_labels.moc"
