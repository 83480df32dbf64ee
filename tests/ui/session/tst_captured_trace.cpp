// labels: threads
#include "core/base/error.h"
#include "core/io/safetensors/safetensors_file.h"
#include "core/io/safetensors/safetensors_writer.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "ui/session/session.h"
#include "ui/session/session_file.h"
#include "ui/session/session_opener.h"

#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace headscope;
using namespace headscope::ui;

namespace {

LoadedModel openTiny(const std::string& name)
{
    if (name == "broken")
        throw FormatError("this is no checkpoint", name, 0, "Choose another file.");
    LoadedModel model = headscope::test::tinyModel();
    model.name = name;
    return model;
}

QString captured(const char* name)
{
    return QString(HEADSCOPE_TEST_DATA "/captured/%1.safetensors").arg(name);
}

} // namespace

class TstCapturedTrace : public QObject
{
    Q_OBJECT

private slots:
    void init();

    void cleanup() { m_session.reset(); }

    void itIsShownWithoutAModel();
    void nothingOfItCanBeChanged();
    void headsAreThoseOfTheFile();
    void aModelTakesTheTextOver();
    void theLastWishWins();
    void whatCannotBeReadKeepsThePicture();
    void oddWeightsAreSaid();
    void anEncoderDecoderHasTwoTexts();
    void aSessionFileNamesIt();

private:
    void open(const QString& path)
    {
        m_session->models().openTrace(path);
        QTRY_VERIFY(m_session->isCaptured() && m_session->models().loadingName().isEmpty());
    }

    bool isLive() const
    {
        return m_session->model().model && m_session->traceA() &&
               m_session->computation().shownTicket() == m_session->computation().postedTicket();
    }

    std::unique_ptr<Session> m_session;
};

void TstCapturedTrace::init()
{
    m_session = std::make_unique<Session>(BackendRegistry(), openTiny);
    m_session->computation().setDevice("cpu");
    m_session->models().open("tiny");
    m_session->document().replaceText("the cat");
    QTRY_VERIFY(isLive());
}

void TstCapturedTrace::itIsShownWithoutAModel()
{
    QSignalSpy models(m_session.get(), &Session::modelChanged);
    QSignalSpy traces(m_session.get(), &Session::traceChanged);
    QSignalSpy notes(m_session.get(), &Session::noteRaised);
    open(captured("gpt2"));
    QCOMPARE(models.count(), 1);
    QCOMPARE(traces.count(), 1);
    QVERIFY(notes.isEmpty());
    QVERIFY(!m_session->model().model);
    QVERIFY(!m_session->models().isBlank() && !m_session->computation().isStale() &&
            !m_session->computation().isRunning());
    QCOMPARE(m_session->text(),
             QString("The na\u00EFve cat didn't cross the street because it was too tired"));
    QCOMPARE(m_session->textTokens(), qint64{27});
    QCOMPARE(m_session->models().longestText(), 27);
    QCOMPARE(m_session->computation().shownTicket(), m_session->computation().postedTicket());
    const ViewSnapshot view = m_session->viewSnapshot();
    QCOMPARE(view.thumbnailsA.at(AttentionKind::Self).size(), std::size_t{8});
    QCOMPARE(view.modelA.tokenizer->tokenBytes(view.a->tokens().tokens[1].id), std::string(" n"));
    QCOMPARE(m_session->pair().query, 26);
}

void TstCapturedTrace::nothingOfItCanBeChanged()
{
    m_session->document().setHeadOff(0, 0, true);
    open(captured("gpt2"));
    const QString text = m_session->text();
    QVERIFY(m_session->changes().empty());
    QVERIFY(!m_session->document().undoStack().canUndo());
    m_session->document().setText("x");
    m_session->document().replaceText("x");
    m_session->document().setTarget("x");
    m_session->document().setHeadOff(0, 0, true);
    m_session->view().setShownVariant(ui::Variant::B);
    QCOMPARE(m_session->text(), text);
    QVERIFY(m_session->document().target().isEmpty());
    QVERIFY(m_session->changes().empty());
    QCOMPARE(m_session->view().shownVariant(), ui::Variant::A);
    QVERIFY(!m_session->document().undoStack().canUndo());
}

void TstCapturedTrace::headsAreThoseOfTheFile()
{
    open(captured("bert"));
    m_session->view().activateHead(9, 9);
    QCOMPARE(m_session->selection().layer, 1);
    QCOMPARE(m_session->selection().head, 3);
    m_session->view().activatePart(AttentionKind::Cross);
    QVERIFY(m_session->selection().part == AttentionKind::Self);
    m_session->view().selectPair(3, 2);
    QCOMPARE(m_session->pair(), (TokenPair{3, 2}));
}

void TstCapturedTrace::aModelTakesTheTextOver()
{
    open(captured("gpt2"));
    const QString text = m_session->text();
    m_session->models().open("tiny");
    QTRY_VERIFY(isLive());
    QVERIFY(!m_session->isCaptured());
    QCOMPARE(m_session->text(), text);
    const std::vector<TokenId> all = m_session->model().tokenizer->encode(text.toStdString()).ids();
    const std::vector<TokenId> shown = m_session->traceA()->tokens().ids(); // what the model takes
    QVERIFY(!shown.empty() && std::equal(shown.begin(), shown.end(), all.begin()));
    m_session->document().setText("the");
    QTRY_VERIFY(isLive());
    QCOMPARE(m_session->traceA()->tokens().text, std::string("the"));
}

void TstCapturedTrace::theLastWishWins()
{
    m_session->models().open("other");
    m_session->models().openTrace(captured("gpt2"));
    QTRY_VERIFY(m_session->isCaptured());
    m_session->models().openTrace(captured("bert"));
    m_session->models().open("tiny");
    QTRY_VERIFY(isLive());
    QCOMPARE(m_session->model().name, std::string("tiny"));
    QVERIFY(m_session->models().loadingName().isEmpty());
}

void TstCapturedTrace::whatCannotBeReadKeepsThePicture()
{
    QSignalSpy errors(m_session.get(), &Session::errorRaised);
    const TracePtr before = m_session->traceA();
    m_session->models().openTrace(HEADSCOPE_TEST_DATA "/captured/capture.py");
    QTRY_COMPARE(errors.count(), 1);
    QVERIFY(errors[0][0].toString().contains("capture.py"));
    QVERIFY(m_session->models().loadingName().isEmpty());
    QVERIFY(m_session->model().model && m_session->traceA() == before);
    open(captured("gpt2"));
    m_session->models().open("broken");
    QTRY_COMPARE(errors.count(), 2);
    QVERIFY(m_session->isCaptured() && m_session->traceA());
}

void TstCapturedTrace::oddWeightsAreSaid()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("odd.safetensors");
    const Tensor zeros({1, 2, 2});
    SafetensorsWriter writer;
    writer.setMetadata("format", "headscope-trace");
    writer.setMetadata("version", "1");
    writer.setMetadata("tokens", R"(["a"," b"])");
    writer.add("blocks.2.attn.hook_pattern", zeros.view());
    writer.write(path.toStdString());
    QSignalSpy notes(m_session.get(), &Session::noteRaised);
    open(path);
    QCOMPARE(notes.count(), 1);
    QVERIFY(notes[0][0].toString().contains("2 rows"));
    QCOMPARE(m_session->selection().layer, 2); // the first that is there
}

void TstCapturedTrace::anEncoderDecoderHasTwoTexts()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("two.safetensors");
    const Tensor cross({2, 2, 3});
    SafetensorsWriter writer;
    writer.setMetadata("format", "headscope-trace");
    writer.setMetadata("version", "1");
    writer.setMetadata("tokens", R"(["<pad>","x"])");
    writer.setMetadata("source_tokens", R"(["a"," b"," c"])");
    writer.add("decoder.0.cross_attn.hook_pattern", cross.view());
    writer.write(path.toStdString());
    open(path);
    QVERIFY(m_session->models().readsTarget());
    QCOMPARE(m_session->text(), QString("a b c"));
    QCOMPARE(m_session->document().target(), QString("x"));
    QVERIFY(m_session->selection().part == AttentionKind::Cross);
    QCOMPARE(static_cast<int>(m_session->document().tokens().size()), 3);
}

void TstCapturedTrace::aSessionFileNamesIt()
{
    open(captured("bert"));
    m_session->view().activateHead(1, 2);
    m_session->view().selectPair(3, 2);
    m_session->view().setColourMap(MapName::Magma);
    const SessionState saved = stateOf(*m_session);
    QCOMPARE(QFileInfo(saved.model).canonicalFilePath(),
             QFileInfo(captured("bert")).canonicalFilePath());
    m_session->models().open("tiny");
    QTRY_VERIFY(isLive());
    SessionOpener opener(*m_session);
    QSignalSpy opened(&opener, &SessionOpener::opened);
    opener.open(parseSession(sessionJson(saved), "a.hscope"));
    QTRY_COMPARE(opened.count(), 1);
    QVERIFY(m_session->isCaptured());
    QVERIFY(stateOf(*m_session) == saved);
    SessionState other = saved;
    other.selection.head = 1;
    opener.open(other); // the same file: at once
    QCOMPARE(opened.count(), 2);
    QCOMPARE(m_session->selection().head, 1);
    other.model = "tiny";
    other.text = "the cat";
    opener.open(other);
    QTRY_COMPARE(opened.count(), 3);
    QCOMPARE(m_session->text(), QString("the cat"));
}

HEADSCOPE_WINDOW_TEST(TstCapturedTrace)
#include "tst_captured_trace.moc"
