// labels: threads
#include "core/base/atomic_write.h"
#include "tests/support/failing_attention.h"
#include "tests/support/gguf_models.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "ui/session/changes/undo_commands.h"
#include "ui/session/samples.h"
#include "ui/session/session.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <thread>

using namespace headscope;
using namespace headscope::ui;

namespace {

LoadedModel openTiny(const std::string& name)
{
    if (name == "broken")
        throw FormatError("this is no checkpoint", name, 0, "Choose another file.");
    LoadedModel model = test::tinyModel(name == "other" ? 2 : 1);
    model.name = name;
    return model;
}

/// Reads 40 of 100 bytes of "slow" and goes on until it is told to stop.
OpenedModel openSlowly(const std::string& name, Progress& progress)
{
    if (name != "slow")
        return {openTiny(name), {}};
    progress.expect(100);
    progress.add(40);
    for (;; std::this_thread::sleep_for(std::chrono::milliseconds(1)))
        progress.requireGoingOn();
}

bool isCurrent(const Session& session)
{
    return session.traceA() &&
           session.computation().shownTicket() == session.computation().postedTicket();
}

} // namespace

class TstSession : public QObject
{
    Q_OBJECT

private slots:
    void init();

    void cleanup() { m_session.reset(); }

    void aSecondTextGoesWithTheSampleItBelongsTo()
    {
        Session session(BackendRegistry(), [](const std::string& name) {
            LoadedModel model = headscope::test::tinyModel();
            model.name = name;
            return model;
        });
        session.computation().setDevice("cpu");
        session.models().open("builtin:dates");
        QTRY_COMPARE(session.models().model().name, std::string("builtin:dates"));
        session.document().replaceText(sampleSentence("builtin:dates"));
        session.document().setTarget("1987-03-05");
        session.models().open("builtin:stories");
        QTRY_COMPARE(session.text(), sampleSentence("builtin:stories"));
        QVERIFY(session.document().target().isEmpty());
        session.document().replaceText("own text");
        session.document().setTarget("own second text");
        session.models().open("builtin:dates");
        QTRY_COMPARE(session.models().model().name, std::string("builtin:dates"));
        QCOMPARE(session.document().target(), QString("own second text"));
    }

    void tokensAreThereAtOnce();
    void typingIsOneUndoStep();
    void deletingIsAnotherStepThanTyping();
    void everyPasteIsAStepOfItsOwn();
    void aPauseStartsTheNextStep();
    void typingOverASelectionIsOneStep_data();
    void typingOverASelectionIsOneStep();
    void aReplacementIsAStepOfItsOwn();
    void undoTakesAMaskBack();
    void noMaskLetsTheFirstTokenSeeTheLast();
    void aHeadSwitchedOffChangesThePrediction();
    void bIsShownOnlyWhileThereIsOne();
    void thePairFollowsTheLastTokenUntilItIsPinned();
    void aPinnedPairOutsideAShorterTextIsClamped();
    void historyGoesBackAndForward();
    void anotherModelDropsOldAnswers();
    void aLongTextKeepsNoLogitsOfEveryToken();
    void aBrokenModelKeepsThePicture();
    void openingIsToldAndCancelKeepsTheModel();
    void anotherWishReplacesTheOneThatRuns();
    void theFirstPictureCompletesTheAudit();
    void aModelInTrainingIsAuditedWhenSomebodyAsks();
    void aMissingDeviceIsSaid();
    void unluckyTexts_data();
    void unluckyTexts();
    void aTextBeyondTheLimitIsCutAndNothingElseChanges();
    void aMegabyteIsTakenWithoutWaiting();
    void thePrecisionOfWeightsIsOfOpenedModels();

private:
    std::unique_ptr<Session> m_session;
};

void TstSession::init()
{
    m_session = std::make_unique<Session>(BackendRegistry(), openTiny);
    m_session->computation().setDevice("cpu");
    m_session->models().open("tiny");
    QTRY_VERIFY(isCurrent(*m_session));
}

void TstSession::thePrecisionOfWeightsIsOfOpenedModels()
{
    const auto logits = [this] {
        const auto values = m_session->traceA()->find({Site::Logits, 0})->values();
        return std::vector<float>(values.begin(), values.end());
    };
    const std::vector<float> exact = logits();
    const QSignalSpy weights(m_session.get(), &Session::weightsChanged);
    m_session->setPrecision(WeightPrecision::BFloat16);
    QCOMPARE(weights.size(), 1);
    QTRY_VERIFY(isCurrent(*m_session));
    const std::vector<float> rounded = logits();
    QVERIFY(rounded != exact);
    m_session->models().wantAudit();
    QTRY_VERIFY(m_session->models().audit() && m_session->models().audit()->precisionError);
    QVERIFY(m_session->models().audit()->precisionError->relativeRms > 0.0);

    m_session->models().open("other");
    QTRY_COMPARE(m_session->model().name, std::string("other"));
    QCOMPARE(m_session->model().model->precision(), WeightPrecision::BFloat16);
    m_session->setPrecision(WeightPrecision::Float32);
    m_session->models().open("tiny");
    QTRY_VERIFY(m_session->model().name == "tiny" && isCurrent(*m_session));
    QVERIFY(logits() == exact);

    const LoadedModel trained = test::tinyModel();
    m_session->followModel(trained);
    m_session->setPrecision(WeightPrecision::BFloat16);
    QCOMPARE(m_session->model().model, trained.model); // its weights change with every step
}

void TstSession::tokensAreThereAtOnce()
{
    m_session->document().setText("the cat");
    QVERIFY(!isCurrent(*m_session));
    QCOMPARE(m_session->document().tokens(), m_session->model().tokenizer->encode("the cat"));
    QTRY_VERIFY(isCurrent(*m_session));
    QCOMPARE(m_session->traceA()->tokens(), m_session->document().tokens());
}

void TstSession::typingIsOneUndoStep()
{
    for (const char* text : {"t", "th", "the"})
        m_session->document().setText(text);
    QCOMPARE(m_session->document().undoStack().count(), 1);
    m_session->document().undoStack().undo();
    QCOMPARE(m_session->text(), QString());
    m_session->document().undoStack().redo();
    QCOMPARE(m_session->text(), QString("the"));
}

void TstSession::deletingIsAnotherStepThanTyping()
{
    for (const char* text : {"t", "th", "the", "th", "t"})
        m_session->document().setText(text);
    m_session->document().undoStack().undo();
    QCOMPARE(m_session->text(), QString("the"));
    m_session->document().undoStack().undo();
    QCOMPARE(m_session->text(), QString());
}

void TstSession::everyPasteIsAStepOfItsOwn()
{
    QUndoStack& stack = m_session->document().undoStack();
    const QStringList texts{"A cat", "A larger dog", "A much larger elephant"};
    for (const QString& text : texts)
        m_session->document().setText(text);
    QCOMPARE(stack.count(), 3);
    stack.undo();
    QCOMPARE(m_session->text(), texts[1]);
    stack.undo();
    QCOMPARE(m_session->text(), texts[0]);
    stack.redo();
    QCOMPARE(m_session->text(), texts[1]);
}

void TstSession::aPauseStartsTheNextStep()
{
    m_session->document().setText("t");
    m_session->document().setText("th");
    QTest::qWait(static_cast<int>(TypingStep::kPauseMs) + 100);
    m_session->document().setText("the");
    m_session->document().undoStack().undo();
    QCOMPARE(m_session->text(), QString("th"));
    m_session->document().undoStack().undo();
    QCOMPARE(m_session->text(), QString());
}

void TstSession::typingOverASelectionIsOneStep_data()
{
    QTest::addColumn<QStringList>("typed");
    QTest::newRow("another letter") << QStringList{"a", "a ", "a d", "a do", "a dog"};
    QTest::newRow("the selection's first letter") << QStringList{"t", "tw", "two"};
    QTest::newRow("the selection's last letter") << QStringList{"t", "ti", "tie"};
    QTest::newRow("a letter of two code units") << QStringList{"\U0001F408", "\U0001F408s"};
}

void TstSession::typingOverASelectionIsOneStep()
{
    QFETCH(QStringList, typed);
    m_session->document().replaceText("the cat");
    const int before = m_session->document().undoStack().count();
    for (const QString& text : typed)
        m_session->document().setText(text);
    QCOMPARE(m_session->document().undoStack().count(), before + 1);
    m_session->document().undoStack().undo();
    QCOMPARE(m_session->text(), QString("the cat"));
    m_session->document().undoStack().redo();
    QCOMPARE(m_session->text(), typed.last());
}

void TstSession::aReplacementIsAStepOfItsOwn()
{
    m_session->document().setText("the");
    m_session->document().replaceText("the cat");
    m_session->document().replaceText("the cat sat");
    m_session->document().undoStack().undo();
    QCOMPARE(m_session->text(), QString("the cat"));
}

void TstSession::undoTakesAMaskBack()
{
    m_session->document().setText("the cat");
    m_session->document().setMask({MaskChange::Kind::None, 4, {}, 0});
    QTRY_VERIFY(m_session->traceB());
    m_session->document().undoStack().undo();
    QVERIFY(m_session->changes().empty());
    QTRY_VERIFY(isCurrent(*m_session) && !m_session->traceB());
    QCOMPARE(m_session->text(), QString("the cat"));
}

void TstSession::noMaskLetsTheFirstTokenSeeTheLast()
{
    m_session->document().setText("the cat sat");
    m_session->document().setMask({MaskChange::Kind::None, 4, {}, 0});
    QTRY_VERIFY(isCurrent(*m_session) && m_session->traceB());
    const TensorView a = m_session->traceA()->find({Site::Pattern, 0})->view()[0];
    const TensorView b = m_session->traceB()->find({Site::Pattern, 0})->view()[0];
    const std::int64_t last = a.shape[1] - 1;
    QCOMPARE(a(0, last), 0.0F);
    QVERIFY(b(0, last) > 0.0F);
}

void TstSession::aHeadSwitchedOffChangesThePrediction()
{
    m_session->document().setText("the cat sat");
    m_session->document().setHeadOff(1, 0, true);
    QTRY_VERIFY(isCurrent(*m_session) && m_session->traceB());
    Interventions off;
    off.ablatedHeads = {{1, 0}};
    Tracer tracer(m_session->model(), std::make_unique<CpuAttention>());
    const TracePtr expected =
        tracer.trace(m_session->document().tokens(), TraceRequest::forViews(), off);
    QCOMPARE(test::traceDifference(*m_session->traceB(), *expected, 1e-6), std::string());
    QVERIFY(!test::traceDifference(*m_session->traceA(), *expected, 1e-6).empty());
}

void TstSession::bIsShownOnlyWhileThereIsOne()
{
    m_session->view().setShownVariant(ui::Variant::B);
    QCOMPARE(m_session->view().shownVariant(), ui::Variant::A);
    m_session->document().setHeadOff(0, 1, true);
    m_session->view().setShownVariant(ui::Variant::B);
    QTRY_VERIFY(m_session->shownTrace() && m_session->shownTrace() == m_session->traceB());
    m_session->document().clearChanges();
    QCOMPARE(m_session->view().shownVariant(), ui::Variant::A);
    QCOMPARE(m_session->shownTrace(), m_session->traceA());
}

void TstSession::thePairFollowsTheLastTokenUntilItIsPinned()
{
    m_session->document().setText("the cat");
    QTRY_VERIFY(isCurrent(*m_session));
    const int last = static_cast<int>(m_session->document().tokens().size()) - 1;
    QCOMPARE(m_session->pair().query, last);
    const TensorView row = m_session->traceA()->find({Site::Pattern, 0})->view()[0][last];
    for (int key = 0; key <= last; ++key)
        QVERIFY(row(m_session->pair().key) >= row(key));
    m_session->view().selectPair(1, 0);
    m_session->document().setText("the cat sat");
    QTRY_VERIFY(isCurrent(*m_session));
    QCOMPARE(m_session->pair(), (TokenPair{1, 0}));
    m_session->view().releasePair();
    QCOMPARE(m_session->pair().query, static_cast<int>(m_session->document().tokens().size()) - 1);
}

void TstSession::aPinnedPairOutsideAShorterTextIsClamped()
{
    m_session->document().setText("the cat sat");
    QTRY_VERIFY(isCurrent(*m_session));
    m_session->view().selectPair(static_cast<int>(m_session->document().tokens().size()) - 1, 2);
    m_session->document().setText("t");
    QTRY_VERIFY(isCurrent(*m_session));
    QCOMPARE(m_session->pair(), (TokenPair{0, 0}));
}

void TstSession::historyGoesBackAndForward()
{
    const QSignalSpy changed(m_session.get(), &Session::selectionChanged);
    m_session->view().activateHead(0, 1);
    m_session->view().activateHead(1, 1);
    m_session->view().activateHead(99, 99); // beyond the model: the last head, where we are
    QCOMPARE(changed.size(), 2);
    m_session->view().goBack();
    QCOMPARE(m_session->selection().layer, 0);
    QCOMPARE(m_session->selection().head, 1);
    m_session->view().goBack();
    QVERIFY(!m_session->view().canGoBack());
    m_session->view().goForward();
    QCOMPARE(m_session->selection().head, 1);
}

void TstSession::anotherModelDropsOldAnswers()
{
    m_session->document().setText("the cat");
    m_session->models().open("other");
    QTRY_COMPARE(m_session->model().name, std::string("other"));
    QTRY_VERIFY(isCurrent(*m_session));
    Tracer tracer(test::tinyModel(2), std::make_unique<CpuAttention>());
    const TracePtr expected =
        tracer.trace(m_session->document().tokens(), TraceRequest::forViews());
    QCOMPARE(test::traceDifference(*m_session->traceA(), *expected, 1e-6), std::string());
}

void TstSession::aLongTextKeepsNoLogitsOfEveryToken()
{
    m_session->computation().setBudgets(0, 0);
    m_session->document().setText("the cat sat");
    QTRY_VERIFY(isCurrent(*m_session));
    const Trace& trace = *m_session->traceA();
    QVERIFY(trace.omitted());
    QVERIFY(!trace.activations().contains({Site::Logits, 0}));
    Tracer tracer(test::tinyModel(), std::make_unique<CpuAttention>());
    const TracePtr whole = tracer.trace(m_session->document().tokens(), TraceRequest::forViews());
    QCOMPARE(test::traceDifference(trace, *whole, 1e-5), std::string());
    QVERIFY(trace.byteCount() < whole->byteCount());
}

void TstSession::aBrokenModelKeepsThePicture()
{
    const QSignalSpy errors(m_session.get(), &Session::errorRaised);
    const TracePtr before = m_session->traceA();
    m_session->models().open("broken");
    QTRY_COMPARE(errors.size(), 1);
    QVERIFY(errors.front().front().toString().contains("this is no checkpoint"));
    QCOMPARE(m_session->traceA(), before);
    QCOMPARE(m_session->model().name, std::string("tiny"));
    QVERIFY(m_session->models().loadingName().isEmpty());
}

void TstSession::openingIsToldAndCancelKeepsTheModel()
{
    Session session(BackendRegistry(), openSlowly);
    session.computation().setDevice("cpu");
    session.models().open("tiny");
    QTRY_VERIFY(isCurrent(session));
    const QSignalSpy errors(&session, &Session::errorRaised);
    const QSignalSpy cancelled(&session, &Session::loadingCancelled);
    session.models().open("slow");
    QCOMPARE(session.models().loadingBytes().fraction(), 0.0);
    QTRY_COMPARE(session.models().loadingBytes().fraction(), 0.4);
    QCOMPARE(session.models().loadingName(), QString("slow"));
    session.document().setText("the cat"); // typing stays live
    QTRY_VERIFY(isCurrent(session));
    session.models().cancelLoading();
    QVERIFY(session.models().loadingName().isEmpty());
    QCOMPARE(cancelled.size(), 1);
    QCOMPARE(session.model().name, std::string("tiny"));
    QVERIFY(session.traceA() != nullptr);
    session.models().cancelLoading(); // there is nothing to cancel
    QCOMPARE(cancelled.size(), 1);
    session.models().open("other");
    QTRY_COMPARE(session.model().name, std::string("other"));
    QCOMPARE(errors.size(), 0);
}

void TstSession::anotherWishReplacesTheOneThatRuns()
{
    Session session(BackendRegistry(), openSlowly);
    session.computation().setDevice("cpu");
    session.models().open("slow");
    QTRY_COMPARE(session.models().loadingBytes().fraction(), 0.4);
    session.models().open("other");
    QCOMPARE(session.models().loadingBytes().fraction(), 0.0);
    QTRY_COMPARE(session.model().name, std::string("other"));
    QTRY_VERIFY(isCurrent(session));
    QVERIFY(session.models().loadingName().isEmpty());
}

void TstSession::theFirstPictureCompletesTheAudit()
{
    const QTemporaryDir folder;
    for (const bool isTrained : {true, false}) {
        const std::string path =
            folder.filePath(isTrained ? "trained.gguf" : "untrained.gguf").toStdString();
        writeAtomically(path, test::smallGguf(isTrained));
        Session session(BackendRegistry(), [](const std::string& name, Progress& progress) {
            return openGgufModel(name, progress);
        });
        session.computation().setDevice("cpu");
        session.document().replaceText("1 2 3"); // too short to tell
        session.models().open(QString::fromStdString(path));
        QTRY_VERIFY(isCurrent(session));
        const LoadAuditPtr before = session.models().audit();
        QVERIFY(before != nullptr);
        QCOMPARE(before->path, path);
        QCOMPARE(before->warnings.size(), std::size_t{isTrained ? 0U : 1U});
        const QSignalSpy changed(&session, &Session::auditChanged);
        session.document().replaceText("1 2 3 4 5 6");
        if (!isTrained) {
            QTRY_COMPARE(changed.size(), 1);
            QCOMPARE(session.models().audit()->warnings.size(), std::size_t{2});
            QVERIFY(session.models().audit()->warnings[1].what.find("nearly uniform") !=
                    std::string::npos);
        }
        session.document().replaceText("6 5 4 3 2 1"); // the first picture said all
        QTRY_VERIFY(isCurrent(session));
        QCOMPARE(changed.size(), isTrained ? 0 : 1);
    }
}

void TstSession::aModelInTrainingIsAuditedWhenSomebodyAsks()
{
    m_session->followModel(test::tinyModel(3));
    QVERIFY(!m_session->models().audit());
    m_session->models().wantAudit();
    QTRY_VERIFY(m_session->models().audit() != nullptr);
    QCOMPARE(m_session->models().audit()->family, std::string("Headscope"));
    QVERIFY(!m_session->models().audit()->tensors.empty());
    m_session->followModel(test::tinyModel(4));
    QVERIFY(!m_session->models().audit());
}

void TstSession::aMissingDeviceIsSaid()
{
    const QSignalSpy errors(m_session.get(), &Session::errorRaised);
    m_session->computation().setDevice("opencl:7");
    QTRY_COMPARE(errors.size(), 1);
    QVERIFY(errors.front().front().toString().contains("CPU"));
    QTRY_VERIFY(isCurrent(*m_session));
}

void TstSession::unluckyTexts_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("empty") << QString();
    QTest::newRow("only spaces") << QString(7, ' ');
    QTest::newRow("NUL bytes") << QString(QChar(0)) + "a" + QChar(0);
    QTest::newRow("lone surrogates") << QString(QChar(0xD83D)) + "a" + QChar(0xDC00);
    QTest::newRow("only emoji") << QString::fromUtf8("\xF0\x9F\x98\x80\xF0\x9F\x91\x8D");
    QTest::newRow("combining marks") << "a" + QString(10'000, QChar(0x0301));
    QTest::newRow("bidirectional overrides") << QString(QChar(0x202E)) + "abc" + QChar(0x202C);
    QTest::newRow("one token repeated") << QString("the").repeated(5000);
}

void TstSession::unluckyTexts()
{
    QFETCH(QString, text);
    const QSignalSpy errors(m_session.get(), &Session::errorRaised);
    m_session->document().setText(text);
    QTRY_VERIFY(isCurrent(*m_session));
    QCOMPARE(errors.size(), 0);
    const auto pattern = m_session->traceA()->find({Site::Pattern, 1});
    QVERIFY(pattern);
    for (const float weight : pattern->values())
        QVERIFY(weight >= 0.0F && weight <= 1.0F);
}

void TstSession::aTextBeyondTheLimitIsCutAndNothingElseChanges()
{
    const QString words = QString("the cat sat ").repeated(40);
    m_session->document().setText(words);
    QTRY_VERIFY(isCurrent(*m_session));
    const auto all = m_session->model().tokenizer->encode(words.toStdString());
    const auto shown = static_cast<std::size_t>(m_session->models().longestText());
    QCOMPARE(shown, 32u);
    QCOMPARE(m_session->textTokens(), static_cast<qint64>(all.size()));
    QCOMPARE(m_session->traceA()->tokens().size(), shown);
    TokenSequence first = all;
    first.tokens.resize(shown);
    Tracer tracer(m_session->model(), std::make_unique<CpuAttention>());
    const TracePtr expected = tracer.trace(first, TraceRequest::forViews());
    QCOMPARE(test::traceDifference(*m_session->traceA(), *expected, 1e-6), std::string());
}

void TstSession::aMegabyteIsTakenWithoutWaiting()
{
    const QString text = QString("the cat sat on the mat ").repeated(50'000);
    m_session->document().setText(text);
    QVERIFY(!isCurrent(*m_session));                     // nothing was waited for:
    QCOMPARE(m_session->document().tokens().size(), 0u); // the worker cuts it up
    QCOMPARE(m_session->textTokens(), -1);
    QTRY_VERIFY_WITH_TIMEOUT(isCurrent(*m_session), 60'000);
    QVERIFY(m_session->textTokens() > 100'000);
    QCOMPARE(m_session->document().tokens().size(), 32u);
}

HEADSCOPE_TEST(TstSession)
#include "tst_session.moc"
