// labels: threads
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/model/config/mask_choice.h"
#include "core/model/pass/patches.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "ui/session/changes/change_interventions.h"
#include "ui/session/session.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <functional>

using namespace headscope;
using namespace headscope::ui;

namespace {

constexpr const char* kText = "the cat sat on a mat";

LoadedModel twoStacks()
{
    LoadedModel loaded = test::tinyModel();
    ModelConfig config = loaded.model->config();
    config.architecture = Architecture::EncoderDecoder;
    config.tieEmbeddings = false;
    loaded.model = std::make_shared<const Model>(Model::initialised(config, 3));
    return loaded;
}

LoadedModel openTiny(const std::string& name)
{
    LoadedModel model =
        name == "two stacks" ? twoStacks() : test::tinyModel(name == "other" ? 2 : 1);
    model.name = name;
    return model;
}

bool isCurrent(const Session& session)
{
    return session.traceA() &&
           session.computation().shownTicket() == session.computation().postedTicket();
}

TokenSequence encoded(const char* text)
{
    return openTiny("tiny").tokenizer->encode(text);
}

TracePtr run(const char* text, const Interventions& interventions = {},
             const std::string& model = "tiny")
{
    Tracer tracer(openTiny(model), std::make_unique<CpuAttention>());
    return tracer.trace(encoded(text), TraceRequest::forViews(), interventions);
}

/// The same in both, bit for bit.
QString bitsThatDiffer(const Trace& got, const Trace& expected)
{
    return QString::fromStdString(test::traceDifference(got, expected, 0.0));
}

struct Kind
{
    Changes changes;
    Interventions interventions; ///< the same, as the core says it
    const char* text = kText;
    std::string model = "tiny";
};

Kind masked(const MaskChange& mask, const std::function<void(Interventions&)>& fill)
{
    Kind kind;
    kind.changes.mask = mask;
    kind.interventions.mask.emplace();
    fill(kind.interventions);
    return kind;
}

Kind painted()
{
    const auto tokens = static_cast<int>(encoded(kText).size());
    MaskChange mask{MaskChange::Kind::Painted, 4, {}, tokens};
    for (int query = 0; query < tokens; ++query) {
        for (int key = 0; key < tokens; ++key)
            mask.cells.push_back(key <= query && !(key == 1 && query > 2) ? 1 : 0);
    }
    return masked(mask, [&mask](Interventions& core) { core.maskCells = mask.cells; });
}

Kind headOff(HeadOff::Method method)
{
    Kind kind;
    kind.changes.headsOff = {{{1, 0}, method}};
    if (method == HeadOff::Method::Zero)
        kind.interventions.ablatedHeads = {{1, 0}};
    else
        kind.interventions.patches = meanAblation({run(kText)}, {{1, 0}});
    return kind;
}

Kind edited(const PatternEdit& edit)
{
    Kind kind;
    kind.changes.edits = {edit};
    kind.interventions.patternEdits = {edit};
    return kind;
}

Kind swapped()
{
    constexpr TokenId kOther = 7;
    Kind kind;
    kind.changes.swaps = {{2, kOther}};
    const LoadedModel model = openTiny("tiny");
    const TensorView row = model.model->parameters().view("tok_emb.weight")[kOther];
    auto values = std::make_shared<Tensor>(Shape{1, row.shape[0]});
    std::copy_n(row.data, row.shape[0], values->view().data);
    kind.interventions.patches = {{{Site::Embed, 0}, values, std::nullopt, {2}}};
    return kind;
}

Kind patched()
{
    Kind kind;
    const TraceKey key{Site::ResidPost, 0};
    kind.changes.patches = {{key, 1, 3}};
    const TracePtr source = run(kText); // owns what row looks at
    const TensorView row = source->find(key)->view()[1];
    auto values = std::make_shared<Tensor>(Shape{1, row.shape[0]});
    std::copy_n(row.data, row.shape[0], values->view().data);
    kind.interventions.patches = {{key, values, std::nullopt, {3}}};
    return kind;
}

Kind frozen(std::optional<int> head)
{
    Kind kind;
    Freeze freeze;
    freeze.text.text = "a mat";
    kind.interventions.patches = freezePatterns(*run("a mat"));
    if (head) {
        freeze.head = HeadId{1, *head};
        std::erase_if(kind.interventions.patches,
                      [](const Patch& patch) { return patch.key.layer != 1; });
        kind.interventions.patches[0].head = head;
    }
    kind.changes.freezes = {freeze};
    return kind;
}

std::map<std::string, Kind> kinds()
{
    std::map<std::string, Kind> all;
    all["mask: causal"] = masked({MaskChange::Kind::Causal, 4, {}, 0},
                                 [](Interventions& core) { core.mask->causal = true; });
    all["mask: none"] = masked({MaskChange::Kind::None, 4, {}, 0}, [](Interventions&) {});
    all["mask: window"] = masked({MaskChange::Kind::Window, 2, {}, 0}, [](Interventions& core) {
        core.mask->causal = true;
        core.mask->window = 2;
    });
    all["mask: painted"] = painted();
    for (const Positions positions :
         {Positions::None, Positions::Sinusoidal, Positions::Rope, Positions::Alibi}) {
        Kind kind;
        kind.changes.positions = kind.interventions.positions = PositionsChoice{positions};
        all["positions: " + headscope::toString(PositionsChoice{positions})] = kind;
    }
    all["ablate head"] = headOff(HeadOff::Method::Zero);
    all["head at its mean"] = headOff(HeadOff::Method::Mean);
    const TraceKey pattern{Site::Pattern, 0};
    const std::vector<float> even(encoded(kText).size(), 0.1F);
    all["a weight"] = edited({pattern, 1, 4, 2, {0.5F}, false});
    all["a weight, the row rescaled"] = edited({pattern, 1, 4, 2, {0.5F}, true});
    all["a row"] = edited({pattern, 1, 4, std::nullopt, even, false});
    all["another token's embedding"] = swapped();
    all["a patch"] = patched();
    all["frozen patterns"] = frozen({});
    all["one frozen head"] = frozen(1);
    Kind text;
    text.changes.text = "a mat";
    text.text = "a mat";
    all["replace sentence"] = text;
    Kind model;
    model.changes.model = "other";
    model.model = "other";
    all["another model"] = model;
    Kind many = all["mask: window"];
    many.changes.headsOff = all["ablate head"].changes.headsOff;
    many.interventions.ablatedHeads = all["ablate head"].interventions.ablatedHeads;
    many.changes.edits = all["a row"].changes.edits;
    many.interventions.patternEdits = all["a row"].interventions.patternEdits;
    all["several at once"] = many;
    return all;
}

SecondRunContext contextOf(const Trace& a, const LoadedModel& model, std::int64_t tokens,
                           std::int64_t sourceTokens = 0)
{
    return {a, model, tokens, sourceTokens,
            [](const RunText& text) { return run(text.text.c_str()); }};
}

} // namespace

class TstChanges : public QObject
{
    Q_OBJECT

private slots:
    void init();

    void cleanup() { m_session.reset(); }

    void bIsWhatTheCoreComputes_data();
    void bIsWhatTheCoreComputes();

    void eachChangeHasWordsAndCanBeTakenAway_data() { bIsWhatTheCoreComputes_data(); }

    void eachChangeHasWordsAndCanBeTakenAway();
    void wordsAndWithoutCountAlike();
    void undoAfterAnyChangesRestoresTheTrace_data();
    void undoAfterAnyChangesRestoresTheTrace();
    void redoShowsTheRunThatWasShown();
    void paintedCellsAreCountedAgainstTheMaskBelow();
    void aPaintedMaskGrowsWithTheText();
    void whatDoesNotFitTheTextIsLeftOut();
    void aPatternIsNoPatch();
    void changesOfTheSourceFitTheSource();

private:
    std::unique_ptr<Session> m_session;
};

void TstChanges::init()
{
    m_session = std::make_unique<Session>(BackendRegistry(), openTiny);
    m_session->computation().setDevice("cpu");
    m_session->document().replaceText(kText);
    m_session->models().open("tiny");
    QTRY_VERIFY(isCurrent(*m_session));
}

void TstChanges::bIsWhatTheCoreComputes_data()
{
    QTest::addColumn<QString>("name");
    for (const auto& [name, kind] : kinds())
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void TstChanges::bIsWhatTheCoreComputes()
{
    QFETCH(QString, name);
    const Kind kind = kinds().at(name.toStdString());
    QSignalSpy errors(m_session.get(), &Session::errorRaised);
    m_session->document().setChanges(kind.changes, name);
    QTRY_VERIFY(isCurrent(*m_session) && m_session->traceB());
    QCOMPARE(errors.size(), 0);
    const TracePtr own = run(kind.text, kind.interventions, kind.model);
    QCOMPARE(bitsThatDiffer(*m_session->traceB(), *own), QString());
    QCOMPARE(bitsThatDiffer(*m_session->traceA(), *run(kText)), QString());
    if (name != "mask: causal") // what this model has anyway
        QVERIFY(!bitsThatDiffer(*m_session->traceB(), *m_session->traceA()).isEmpty());
}

void TstChanges::eachChangeHasWordsAndCanBeTakenAway()
{
    QFETCH(QString, name);
    Changes changes = kinds().at(name.toStdString()).changes;
    QVERIFY(!changes.empty());
    while (!changes.empty()) {
        const std::size_t before = changes.texts().size();
        QVERIFY(before > 0);
        QVERIFY(!changes.texts().front().what.isEmpty());
        QVERIFY(!changes.texts().front().scope.isEmpty());
        changes = changes.without(0);
        QCOMPARE(changes.texts().size(), before - 1);
    }
}

void TstChanges::wordsAndWithoutCountAlike()
{
    Changes all;
    all.model = "other";
    all.text = "a";
    all.target = "b";
    all.mask.kind = MaskChange::Kind::None;
    all.positions = PositionsChoice{Positions::None};
    all.headsOff = {{{0, 0}}, {{0, 1}}};
    all.weights = {parseWeightEdit("W_E[3]*=0"), parseWeightEdit("blocks.0.attn[H0,H1]=swap")};
    all.edits = {{{Site::Pattern, 0}, 0, 1, 0, {0.25F}, false}};
    all.swaps = {{0, 3}};
    all.patches = {{{Site::ResidPost, 1}, 0, 1}};
    all.freezes = {Freeze{}};
    const std::vector<ChangeText> words = all.texts();
    QCOMPARE(words.size(), std::size_t(13));
    for (int index = 0; index < 13; ++index) {
        const std::vector<ChangeText> rest = all.without(index).texts();
        QCOMPARE(rest.size(), std::size_t(12));
        for (int other = 0; other < 12; ++other) {
            const auto& kept = words[static_cast<std::size_t>(other < index ? other : other + 1)];
            QCOMPARE(rest[static_cast<std::size_t>(other)].what, kept.what);
            QCOMPARE(rest[static_cast<std::size_t>(other)].scope, kept.scope);
        }
    }
    QCOMPARE(all.without(13), all);
    QCOMPARE(all.without(-1), all);
}

void TstChanges::undoAfterAnyChangesRestoresTheTrace_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 1; seed <= 6; ++seed)
        QTest::addRow("%d", seed) << seed;
}

/// Steps in any order, some removals and texts among them, with and without waiting for a picture.
void TstChanges::undoAfterAnyChangesRestoresTheTrace()
{
    QFETCH(int, seed);
    const TracePtr original = m_session->traceA();
    Random random(static_cast<std::uint64_t>(seed));
    std::vector<Changes> choices;
    for (const auto& [name, kind] : kinds())
        choices.push_back(kind.changes);
    const int first = m_session->document().undoStack().index();
    for (int step = 0; step < 12; ++step) {
        const std::uint64_t dice = random.below(10);
        if (dice == 0)
            m_session->document().replaceText(QString("a dog %1").arg(step));
        else if (dice == 1)
            m_session->document().removeChange(0);
        else if (dice == 2)
            m_session->document().undoStack().undo();
        else
            m_session->document().setChanges(choices[random.below(choices.size())], "a change");
        if (random.below(2) == 0)
            QTRY_VERIFY(isCurrent(*m_session));
    }
    while (m_session->document().undoStack().index() > first)
        m_session->document().undoStack().undo();
    QTRY_VERIFY(isCurrent(*m_session));
    QCOMPARE(m_session->text(), QString(kText));
    QVERIFY(m_session->changes().empty());
    QVERIFY(!m_session->traceB());
    QCOMPARE(bitsThatDiffer(*m_session->traceA(), *original), QString());
}

void TstChanges::redoShowsTheRunThatWasShown()
{
    m_session->document().setHeadOff({0, 1}, true);
    m_session->view().setShownVariant(ui::Variant::Difference);
    m_session->document().undoStack().undo();
    QCOMPARE(m_session->view().shownVariant(), ui::Variant::A);
    m_session->document().undoStack().redo();
    QCOMPARE(m_session->view().shownVariant(), ui::Variant::Difference);
}

void TstChanges::paintedCellsAreCountedAgainstTheMaskBelow()
{
    MaskChange causal{MaskChange::Kind::Painted, 4, {1, 0, 1, 0, 1, 0, 1, 1, 1}, 3};
    QVERIFY(causal.isOnCausal());
    QCOMPARE(causal.paintedCells(), 2); // 1 -> 0 blocked, 0 -> 2 allowed
    causal.cells[3] = 1;
    QCOMPARE(causal.paintedCells(), 1);
    causal.cells[2] = 0;
    QCOMPARE(causal.paintedCells(), 0);
    const MaskChange open{MaskChange::Kind::Painted, 4, {1, 1, 0, 1, 1, 1, 1, 1, 1}, 3};
    QVERIFY(!open.isOnCausal());
    QCOMPARE(open.paintedCells(), 1);
    QCOMPARE(open.describe(), QString("1 cell painted"));
}

void TstChanges::aPaintedMaskGrowsWithTheText()
{
    Changes changes;
    changes.mask = {MaskChange::Kind::Painted, 4, {1, 0, 0, 1}, 2};
    const TracePtr a = run(kText);
    const auto causal = interventionsOf(changes, contextOf(*a, openTiny("tiny"), 3)).maskCells;
    QCOMPARE(causal, (std::vector<std::uint8_t>{1, 0, 0, 0, 1, 0, 1, 1, 1}));
    changes.mask.cells = {1, 1, 0, 1};
    const auto open = interventionsOf(changes, contextOf(*a, openTiny("tiny"), 3)).maskCells;
    QCOMPARE(open, (std::vector<std::uint8_t>{1, 1, 1, 0, 1, 1, 1, 1, 1}));
    const auto shorter = interventionsOf(changes, contextOf(*a, openTiny("tiny"), 1)).maskCells;
    QCOMPARE(shorter, (std::vector<std::uint8_t>{1}));
}

void TstChanges::whatDoesNotFitTheTextIsLeftOut()
{
    Changes changes = kinds().at("a row").changes;
    changes.edits.push_back(kinds().at("a weight").changes.edits.front());
    changes.swaps = {{2, 7}};
    changes.patches = {{{Site::ResidPost, 0}, 5, 1}, {{Site::ResidPost, 0}, 1, 5}};
    m_session->document().setChanges(changes, "many");
    QSignalSpy errors(m_session.get(), &Session::errorRaised);
    m_session->document().replaceText("a");
    QTRY_VERIFY(isCurrent(*m_session) && m_session->traceB());
    QCOMPARE(errors.size(), 0);
    QCOMPARE(bitsThatDiffer(*m_session->traceB(), *m_session->traceA()), QString());
}

void TstChanges::aPatternIsNoPatch()
{
    Changes changes;
    changes.patches = {{{Site::Pattern, 0}, 0, 0}};
    const TracePtr a = run(kText);
    const SecondRunContext context = contextOf(*a, openTiny("tiny"), 6);
    QVERIFY_EXCEPTION_THROWN(interventionsOf(changes, context), Error);
}

void TstChanges::changesOfTheSourceFitTheSource()
{
    m_session->models().open("two stacks");
    m_session->document().setTarget("a");
    QTRY_VERIFY(m_session->models().readsTarget() && isCurrent(*m_session));
    const auto source = static_cast<int>(m_session->traceA()->sourceTokens().size());
    QVERIFY(source > static_cast<int>(m_session->traceA()->tokens().size()));
    Changes changes;
    changes.swaps = {{source - 1, 7}};
    changes.edits = {{{Site::Pattern, 0, Stack::Encoder}, 0, source - 1, 0, {0.75F}, false},
                     {{Site::CrossPattern, 0, Stack::Decoder}, 1, 0, source - 1, {0.5F}, false}};
    changes.patches = {{{Site::ResidPost, 0, Stack::Encoder}, 0, source - 1}};
    m_session->document().setChanges(changes, "of the source");
    QTRY_VERIFY(isCurrent(*m_session) && m_session->traceB());
    const Trace& b = *m_session->traceB();
    const TensorView encoder = b.find({Site::Pattern, 0, Stack::Encoder})->view();
    QCOMPARE(encoder(0, source - 1, 0), 0.75F);
    const TensorView cross = b.find({Site::CrossPattern, 0, Stack::Decoder})->view();
    QCOMPARE(cross(1, 0, source - 1), 0.5F);
    const TraceKey stream{Site::ResidPost, 0, Stack::Encoder};
    const TensorView from = m_session->traceA()->find(stream)->view();
    const TensorView to = b.find(stream)->view();
    QCOMPARE(to(source - 1, 0), from(0, 0));
    const LoadedModel model = openTiny("two stacks");
    const TensorView table = model.model->parameters().view("enc.tok_emb.weight");
    const TraceKey embed{Site::Embed, 0, Stack::Encoder};
    QCOMPARE(b.find(embed)->view()(source - 1, 1), table(7, 1));
}

HEADSCOPE_WINDOW_TEST(TstChanges)
#include "tst_changes.moc"
