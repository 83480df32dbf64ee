#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/random.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "ui/session/session.h"
#include "ui/session/session_file.h"
#include "ui/session/session_opener.h"
#include "ui/workers/models/model_opener.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <cmath>
#include <utility>

// labels: threads

using namespace headscope;
using namespace headscope::ui;

namespace {

/// Anything that a person could have done, by the seed.
class AnyState
{
public:
    explicit AnyState(std::uint64_t seed) : m_random(seed) {}

    SessionState make()
    {
        SessionState state;
        state.model = pick(2) == 0 ? "builtin:stories" : "/home/you/models/m.safetensors";
        state.text = text();
        state.target = pick(2) == 0 ? text() : QString();
        state.changes = changes();
        state.selection = {static_cast<AttentionKind>(pick(4)),
                           pick(40),
                           pick(40),
                           pick(20) - 1,
                           pick(20) - 1,
                           pick(2) == 0};
        state.shown = static_cast<ui::Variant>(pick(3));
        state.colourMap = static_cast<MapName>(pick(6));
        state.display = {static_cast<TokenDisplay::Grouping>(pick(3)), pick(2) == 0, pick(2) == 0,
                         pick(2) == 0};
        state.device = pick(2) == 0 ? "auto" : "opencl:1";
        state.precision = pick(2) == 0 ? "f32" : "bf16";
        state.page = pick(2) == 0 ? "overview" : "";
        if (pick(2) == 0)
            state.pages = {{"arcs", QJsonObject{{"mass", 0.25}, {"pins", QJsonArray{1, 2}}}},
                           {"flow", QJsonObject{}}};
        return state;
    }

private:
    int pick(int count) { return static_cast<int>(m_random.uniform() * count); }

    QString text()
    {
        static const QStringList pieces{"the cat", "\u732B",      "\U0001F600",   "\"quoted\"",
                                        "\\",      "line\nend\t", "\u0627\u0644", "\u0000x",
                                        "</svg>",  "\uFFFE"};
        QString text;
        for (int count = pick(6); count > 0; --count)
            text += pieces[pick(static_cast<int>(pieces.size()))];
        return text;
    }

    HeadId head()
    {
        switch (pick(4)) {
        case 0:
            return {AttentionKind::EncoderSelf, pick(30), pick(32)};
        case 1:
            return {AttentionKind::DecoderSelf, pick(30), pick(32)};
        case 2:
            return {AttentionKind::Cross, pick(30), pick(32)};
        default:
            return {pick(30), pick(32)};
        }
    }

    MaskChange mask()
    {
        MaskChange mask;
        mask.kind = static_cast<MaskChange::Kind>(pick(5));
        if (mask.kind == MaskChange::Kind::Window)
            mask.window = 1 + pick(9);
        if (mask.kind == MaskChange::Kind::Painted) {
            mask.side = 1 + pick(9);
            for (int cell = 0; cell < mask.side * mask.side; ++cell)
                mask.cells.push_back(static_cast<std::uint8_t>(pick(2)));
        }
        return mask;
    }

    PatternEdit edit()
    {
        PatternEdit edit;
        edit.key = {pick(2) == 0 ? Site::Pattern : Site::CrossPattern, pick(12), Stack::Decoder};
        edit.head = pick(12);
        edit.query = pick(9);
        edit.weights = {static_cast<float>(m_random.normal()) * 1e-3F};
        if (pick(2) == 0)
            edit.keyToken = pick(9);
        else
            edit.weights.push_back(0.1F);
        edit.rescale = pick(2) == 0;
        return edit;
    }

    Changes changes()
    {
        Changes changes;
        changes.mask = mask();
        if (pick(3) == 0)
            changes.positions = PositionsChoice{Positions::Rope, 1.0 + m_random.uniform() * 1e5};
        for (int count = pick(3); count > 0; --count)
            changes.headsOff.push_back({head(), static_cast<HeadOff::Method>(pick(2))});
        for (int count = pick(3); count > 0; --count)
            changes.edits.push_back(edit());
        for (int count = pick(3); count > 0; --count)
            changes.weights.push_back(
                {WeightEdit::Kind::Scale, "W_E", pick(99), {}, {}, {}, m_random.normal(), {}, 0});
        for (int count = pick(3); count > 0; --count)
            changes.swaps.push_back({pick(9), pick(50000)});
        for (int count = pick(3); count > 0; --count)
            changes.patches.push_back({{Site::Z, pick(12)}, pick(9), pick(9)});
        for (int count = pick(3); count > 0; --count)
            changes.freezes.push_back(
                {{text().toStdString(), std::nullopt, text().toStdString(), {}},
                 pick(2) == 0 ? std::optional(head()) : std::nullopt});
        if (pick(3) == 0)
            changes.text = text();
        if (pick(3) == 0)
            changes.target = text();
        if (pick(3) == 0)
            changes.model = "builtin:tiny";
        return changes;
    }

    Random m_random;
};

QByteArray sessionWith(const QByteArray& members)
{
    return R"({"format":"headscope-session","version":1,)" + members + "}";
}

/// A session on a tiny model that waits for its answers.
struct Desk
{
    explicit Desk(ModelOpener opener = open) : session(BackendRegistry{}, std::move(opener))
    {
        session.computation().setDevice("cpu");
    }

    static LoadedModel open(const std::string& name)
    {
        if (name.find("broken") != std::string::npos)
            throw FormatError("this is no checkpoint", name, 0, "Choose another file.");
        LoadedModel model = headscope::test::tinyModel(name == "tiny2" ? 2 : 1);
        model.name = name;
        return model;
    }

    bool isSettled() const
    {
        return session.traceA() && session.models().loadingName().isEmpty() &&
               session.computation().shownTicket() == session.computation().postedTicket() &&
               (session.changes().empty() || session.traceB());
    }

    Session session;
};

/// Bit for bit, over every activation of both.
bool isSame(const TracePtr& left, const TracePtr& right)
{
    if (!left || !right)
        return left == right;
    if (left->activations().size() != right->activations().size() || left->activations().empty())
        return false;
    for (const auto& [key, values] : left->activations()) {
        const auto other = right->find(key);
        if (!other || !(other->shape() == values->shape()) ||
            !std::equal(values->values().begin(), values->values().end(), other->values().begin()))
            return false;
    }
    return true;
}

Changes everyKindOfChange()
{
    Changes changes;
    changes.mask = {MaskChange::Kind::Painted, 4, {1, 0, 1, 1}, 2};
    changes.headsOff = {{{1, 0}, HeadOff::Method::Mean}, {{0, 1}, HeadOff::Method::Zero}};
    changes.weights = {parseWeightEdit("blocks.1.attn.W_O[H1]*=0.5"),
                       parseWeightEdit("W_E[3,2]=1")};
    changes.edits = {{{Site::Pattern, 0}, 0, 2, 1, {0.75F}, true}};
    changes.swaps = {{1, 5}};
    changes.patches = {{{Site::ResidPre, 1}, 0, 2}};
    changes.freezes = {{{"the dog", std::nullopt, {}, {}}, HeadId{1, 1}}};
    return changes;
}

} // namespace

class TstSessionFile : public QObject
{
    Q_OBJECT

private slots:

    void everyStateComesBack()
    {
        for (std::uint64_t seed = 0; seed < 300; ++seed) {
            const SessionState state = AnyState(seed).make();
            const QByteArray json = sessionJson(state);
            for (const char letter : json)
                QVERIFY(letter == '\n' || (letter >= ' ' && letter <= '~')); // safe in any format
            const SessionState back = parseSession(json, "s.hscope");
            QVERIFY2(back == state, json.constData());
            QCOMPARE(sessionJson(back), json);
        }
    }

    void aFileHoldsTheSame()
    {
        const SessionState state = AnyState(3).make();
        saveSession(state, path("s.hscope"));
        QVERIFY(loadSession(path("s.hscope")) == state);
        QVERIFY_THROWS_EXCEPTION(Error, saveSession(state, path("none/s.hscope")));
        QVERIFY_THROWS_EXCEPTION(FormatError, loadSession(path("missing.hscope")));
        QVERIFY_THROWS_EXCEPTION(FormatError, loadSession(m_folder.path().toStdString()));
        QVERIFY_THROWS_EXCEPTION(FormatError, loadSession("/dev/zero"));
    }

    void whatIsLeftOutIsAsTheWindowBegins()
    {
        SessionState plain;
        plain.text = "the cat";
        QVERIFY(parseSession(sessionWith(R"("text":"the cat")"), "s.hscope") == plain);
    }

    void aModelThatMovedIsFoundBesideTheSession()
    {
        writeAtomically(path("moved.safetensors"), "x");
        SessionState state;
        state.model = "/no/longer/there/moved.safetensors";
        state.changes.model = "/no/longer/there/moved.safetensors";
        saveSession(state, path("s.hscope"));
        const SessionState back = loadSession(path("s.hscope"));
        QCOMPARE(back.model, m_folder.filePath("moved.safetensors"));
        QCOMPARE(back.changes.model, m_folder.filePath("moved.safetensors"));
        state.model = "/no/longer/there/lost.safetensors";
        saveSession(state, path("s.hscope"));
        QCOMPARE(loadSession(path("s.hscope")).model, state.model);
    }

    void strangeFilesAreRefusedWithTheirPlace_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("reported");
        const auto row = [](const char* name, const QByteArray& json, const char* reported) {
            QTest::newRow(name) << json << QString(reported);
        };
        row("empty", "", "invalid JSON");
        row("no JSON", "hello", "invalid JSON");
        row("a list", "[]", "expected a JSON object");
        row("another format", R"({"format":"headscope-trace","version":1})", "format");
        row("no format", R"({"version":1})", "format");
        row("a newer version", R"({"format":"headscope-session","version":2})", "newer");
        row("no version", R"({"format":"headscope-session"})", "version");
        row("twice", sessionWith(R"("text":"a","text":"b")"), "more than once");
        row("unknown key", sessionWith(R"("colors":"depth")"), "Did you mean \"colours\"?");
        row("text a number", sessionWith(R"("text":3)"), "expected a text");
        row("invalid UTF-8", sessionWith("\"text\":\"\xFF\""), "invalid JSON");
        row("unknown run", sessionWith(R"("shown":"c")"), "shown");
        row("run a number", sessionWith(R"("shown":3)"), "shown");
        row("map", sessionWith(R"("colours":"viridsi")"), "Did you mean \"viridis\"?");
        row("pages a list", sessionWith(R"("pages":[])"), "pages");
        row("options a number", sessionWith(R"("pages":{"arcs":1})"), "pages");
        row("layer negative", sessionWith(R"("selection":{"layer":-1})"), "selection.layer");
        row("layer huge", sessionWith(R"("selection":{"layer":18446744073709551615})"),
            "selection.layer");
        row("layer 1e400", sessionWith(R"("selection":{"layer":1e400})"), "range");
        row("layer a half", sessionWith(R"("selection":{"layer":0.5})"), "selection.layer");
        row("pinned a number", sessionWith(R"("selection":{"pinned":1})"), "true or false");
        row("deep",
            sessionWith("\"pages\":" + QByteArray("{\"a\":").repeated(200) + "1" +
                        QByteArray("}").repeated(200)),
            "nested deeper");
        const auto change = [&row](const char* name, const QByteArray& json, const char* reported) {
            row(name, sessionWith("\"changes\":" + json), reported);
        };
        change("changes null", "null", "expected a JSON object");
        change("unknown change", R"({"heads_of":[]})", "Did you mean \"heads_off\"?");
        change("mask kind", R"({"mask":{"kind":"windows"}})", "Did you mean \"window\"?");
        change("window 0", R"({"mask":{"kind":"window","window":0}})", "changes.mask.window");
        change("no cells", R"({"mask":{"kind":"painted"}})", "cells");
        change("no square", R"({"mask":{"kind":"painted","cells":["10","1"]}})", "cells");
        change("cells 2", R"({"mask":{"kind":"painted","cells":["2"]}})", "cells");
        change("positions", R"({"positions":"rop"})", "Did you mean \"rope\"?");
        change("heads no list", R"({"heads_off":{}})", "a list");
        change("head word", R"({"heads_off":[{"head":"third"}]})", "changes.heads_off[0].head");
        change("two heads", R"({"heads_off":[{"head":"L0H1,L0H2"}]})", "a head such as L0H3");
        change("method", R"({"heads_off":[{"head":"L0H1","method":"noise"}]})", "method");
        change("weights of no matrix", R"({"weights":[{"scale":0}]})", "weights[0]");
        change("weights without an action", R"({"weights":[{"matrix":"W_E"}]})", "weights[0]");
        change("weights, misspelt", R"({"weights":[{"matrix":"W_E","scael":0}]})", "scale");
        change("edit of no site", R"({"edits":[{"weights":[1]}]})", "edits[0].site");
        change("edit of another site",
               R"({"edits":[{"site":"blocks.0.attn.hook_q","weights":[1]}]})", "a pattern");
        change("edit without weights", R"({"edits":[{"site":"blocks.0.attn.hook_pattern"}]})",
               "weights");
        change("weights words",
               R"({"edits":[{"site":"blocks.0.attn.hook_pattern","weights":["a"]}]})", "weights");
        change("weights beyond a float",
               R"({"edits":[{"site":"blocks.0.attn.hook_pattern","weights":[1e300]}]})", "weights");
        change("two weights for a cell",
               R"({"edits":[{"site":"blocks.0.attn.hook_pattern","key":1,"weights":[1,2]}]})",
               "one number");
        change("swap id", R"({"swaps":[{"position":0,"id":-3}]})", "swaps[0].id");
        change("patch", R"({"patches":[{"site":"z","from":0,"to":0}]})", "patches[0].site");
        change("freeze", R"({"freezes":["all"]})", "expected a JSON object");
    }

    void strangeFilesAreRefusedWithTheirPlace()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, reported);
        try {
            parseSession(json, "s.hscope");
            QFAIL("accepted");
        } catch (const FormatError& error) {
            const QString sentence = error.what();
            QVERIFY2(sentence.contains(reported), error.what());
            QVERIFY2(sentence.contains("s.hscope"), error.what());
            QVERIFY2(!sentence.contains('\n'), error.what());
        }
    }

    void olderFilesShowTheFirstToken()
    {
        SessionState state = AnyState(3).make();
        state.display.hideFirst = true;
        QByteArray json = sessionJson(state);
        QVERIFY(parseSession(json, "s.hscope").display.hideFirst);
        const qsizetype begin = json.indexOf("\"hide_first\"");
        QVERIFY(begin > 0);
        json.remove(begin, json.indexOf(',', begin) + 1 - begin);
        state.display.hideFirst = false;
        QVERIFY(parseSession(json, "s.hscope") == state);
    }

    void cutFilesAreRefused()
    {
        const QByteArray json = sessionJson(AnyState(11).make()).trimmed();
        for (qsizetype length = 0; length < json.size(); ++length)
            QVERIFY_THROWS_EXCEPTION(FormatError, parseSession(json.left(length), "s.hscope"));
    }

    void aSecondSessionShowsTheSameNumbers()
    {
        Desk first;
        first.session.models().open("tiny");
        first.session.document().replaceText("the cat sat");
        first.session.document().setChanges(everyKindOfChange(), "all");
        first.session.view().setShownVariant(ui::Variant::Difference);
        first.session.view().setColourMap(MapName::Magma);
        first.session.view().setDisplay({TokenDisplay::Grouping::WordMean, true, true, true});
        QTRY_VERIFY_WITH_TIMEOUT(first.isSettled(), 20000);
        first.session.view().activateHead(1, 1);
        first.session.view().selectPair(2, 0);
        saveSession(stateOf(first.session), path("same.hscope"));

        Desk second;
        SessionOpener opener(second.session);
        QSignalSpy opened(&opener, &SessionOpener::opened);
        opener.open(loadSession(path("same.hscope")));
        QCOMPARE(opened.count(), 0); // the model is not there yet
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 20000);
        QTRY_VERIFY_WITH_TIMEOUT(second.isSettled(), 20000);
        QVERIFY(isSame(first.session.traceA(), second.session.traceA()));
        QVERIFY(isSame(first.session.traceB(), second.session.traceB()));
        QVERIFY(!isSame(first.session.traceA(), first.session.traceB()));
        QVERIFY(stateOf(second.session) == stateOf(first.session));
    }

    void openingIsOneStepBack()
    {
        Desk desk;
        desk.session.models().open("tiny");
        desk.session.document().replaceText("before");
        desk.session.document().setHeadOff(0, 0, true);
        QTRY_VERIFY_WITH_TIMEOUT(desk.isSettled(), 20000);
        const TracePtr a = desk.session.traceA();
        const TracePtr b = desk.session.traceB();
        const int steps = desk.session.document().undoStack().index();
        SessionState state;
        state.model = "tiny";
        state.text = "the cat sat";
        state.changes.headsOff = {{{1, 1}, HeadOff::Method::Zero}};
        state.device = "cpu";
        SessionOpener opener(desk.session);
        QSignalSpy opened(&opener, &SessionOpener::opened);
        opener.open(state);
        QCOMPARE(opened.count(), 1); // the model is there already
        QCOMPARE(desk.session.document().undoStack().index(), steps + 1);
        opener.open(state);
        QCOMPARE(desk.session.document().undoStack().index(),
                 steps + 1); // nothing new, nothing to undo
        desk.session.document().undoStack().undo();
        QCOMPARE(desk.session.text(), QString("before"));
        QVERIFY(desk.session.changes().isOff({0, 0}));
        QVERIFY(!desk.session.changes().isOff({1, 1}));
        QTRY_VERIFY_WITH_TIMEOUT(desk.isSettled() && desk.session.traceA() != a, 20000);
        QVERIFY(isSame(desk.session.traceA(), a));
        QVERIFY(isSame(desk.session.traceB(), b));
    }

    void anotherSessionStartsItsOwnHistory()
    {
        Desk desk;
        desk.session.models().open("tiny");
        desk.session.document().replaceText("before");
        desk.session.document().setMask({MaskChange::Kind::None, 4, {}, 0});
        QTRY_VERIFY_WITH_TIMEOUT(desk.isSettled(), 20000);
        SessionState state;
        state.model = "tiny";
        state.text = "the cat sat";
        state.device = "cpu";
        SessionOpener opener(desk.session);
        opener.open(state, SessionOpener::History::Restart);
        QVERIFY(!desk.session.document().undoStack().canUndo());
        QCOMPARE(desk.session.text(), QString("the cat sat"));
        QVERIFY(desk.session.changes().empty());
        desk.session.document().replaceText("the cat sat down");
        desk.session.document().undoStack().undo();
        QCOMPARE(desk.session.text(), QString("the cat sat"));
    }

    void aModelThatCannotBeOpenedChangesNothing()
    {
        std::atomic_bool isRepaired = false;
        Desk desk([&isRepaired](const std::string& name) {
            LoadedModel model = Desk::open(isRepaired ? "tiny" : name);
            model.name = name;
            return model;
        });
        desk.session.models().open("tiny");
        desk.session.document().replaceText("before");
        QTRY_VERIFY_WITH_TIMEOUT(desk.isSettled(), 20000);
        SessionState state;
        state.model = "broken";
        state.text = "after";
        SessionOpener opener(desk.session);
        QSignalSpy opened(&opener, &SessionOpener::opened);
        QSignalSpy errors(&desk.session, &Session::errorRaised);
        opener.open(state);
        QTRY_COMPARE_WITH_TIMEOUT(errors.count(), 1, 20000);
        QTRY_VERIFY(desk.session.models().loadingName().isEmpty());
        QCOMPARE(desk.session.text(), QString("before"));
        QCOMPARE(desk.session.model().name, std::string("tiny"));
        QCoreApplication::processEvents();
        isRepaired = true;
        desk.session.models().open("broken"); // later, without the state
        QTRY_COMPARE_WITH_TIMEOUT(desk.session.model().name, std::string("broken"), 20000);
        QCoreApplication::processEvents();
        QCOMPARE(opened.count(), 0);
        QCOMPARE(desk.session.text(), QString("before"));
    }

    void anotherModelOfTheSameShapeIsOpenedToo()
    {
        Desk desk;
        desk.session.models().open("tiny");
        QTRY_VERIFY_WITH_TIMEOUT(desk.isSettled(), 20000);
        SessionState state;
        state.model = "tiny2";
        state.text = "the cat";
        state.changes.model = "tiny";
        state.device = "cpu";
        state.shown = ui::Variant::B;
        SessionOpener opener(desk.session);
        opener.open(state);
        QTRY_COMPARE_WITH_TIMEOUT(desk.session.model().name, std::string("tiny2"), 20000);
        QTRY_VERIFY_WITH_TIMEOUT(desk.isSettled() && desk.session.traceB(), 20000);
        QCOMPARE(desk.session.models().second().name, std::string("tiny"));
        QVERIFY(desk.session.view().shownVariant() == ui::Variant::B);
        QVERIFY(!isSame(desk.session.traceA(), desk.session.traceB()));
    }

private:
    std::filesystem::path path(const char* name) const
    {
        return m_folder.filePath(name).toStdString();
    }

    QTemporaryDir m_folder;
};

HEADSCOPE_TEST(TstSessionFile)
#include "tst_session_file.moc"
