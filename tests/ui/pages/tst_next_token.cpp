#include "core/analysis/lens/next_token.h"
#include "core/attention/cpu_attention.h"
#include "core/base/random.h"
#include "core/text/tokenizers/wordpiece_tokenizer.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "tests/ui/child.h"
#include "ui/pages/inspector/inspector_page.h"
#include "ui/pages/next_token/next_token_page.h"
#include "ui/pages/next_token/next_token_strip.h"
#include "ui/pages/next_token/next_token_table.h"
#include "ui/pages/next_token/token_generator.h"
#include "ui/widgets/controls/slider.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text/token_strip.h"

#include <QAccessible>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;

namespace {

/// An encoder with a mask token that reads pairs of texts.
LoadedModel maskingEncoder()
{
    const auto tokenizer = std::make_shared<const WordPieceTokenizer>(
        bertVocabulary({"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "dog", "sat",
                        "ran", "on", "a", "mat", "##s"}));
    ModelConfig config;
    config.architecture = Architecture::Encoder;
    config.vocabularySize = static_cast<std::int64_t>(tokenizer->vocabularySize());
    config.dModel = 16;
    config.heads = 2;
    config.layers = 2;
    config.dFf = 32;
    config.maxLen = 24;
    config.initStd = 0.3;
    config.tokenTypes = 2;
    config.nextSentence = true;
    return {"masks", std::make_shared<const Model>(Model::initialised(config, 7)), tokenizer};
}

LoadedModel openModel(const std::string& name)
{
    LoadedModel model = headscope::test::tinyModel();
    model.name = name;
    if (name == "masks")
        return maskingEncoder();
    if (name == "translator") {
        ModelConfig config = model.model->config();
        config.architecture = Architecture::EncoderDecoder;
        model.model = std::make_shared<const Model>(Model::initialised(config, 5));
    }
    if (name == "encoder" || name == "headless") {
        ModelConfig config = model.model->config();
        config.languageHead = name == "encoder";
        config.architecture = Architecture::Encoder;
        model.model = std::make_shared<const Model>(Model::initialised(config, 5));
    }
    return model;
}

/// softmax(logits / temperature) in double, written out.
std::vector<double> softmaxOf(const float* logits, std::int64_t size, double temperature)
{
    double largest = -1e300;
    for (std::int64_t i = 0; i < size; ++i)
        largest = std::max(largest, double{logits[i]});
    std::vector<double> result;
    double sum = 0.0;
    for (std::int64_t i = 0; i < size; ++i) {
        result.push_back(std::exp((double{logits[i]} - largest) / temperature));
        sum += result.back();
    }
    for (double& value : result)
        value /= sum;
    return result;
}

} // namespace

class TstNextToken : public QObject
{
    Q_OBJECT

private slots:

    void init() { show("tiny"); }

    void cleanup();
    void probabilitiesAreTheSoftmaxOfTheTracesLogits();
    void temperatureScalesBeforeTheSoftmax();
    void topKAndTopPCutAndTheRestSumsToOne();
    void greedyKeepsOneToken();
    void slidersMoveTheStagesWithoutAnotherRun();
    void sampleAppendsTheTokenOfTheSeed();
    void theSameSeedGivesTheSameText();
    void backspaceAndClicksRewind();
    void generatingCanBeStopped();
    void generatingAddsAsManyAsAsked();
    void typingForgetsWhatItOverwrote();
    void aButtonSelectsTheTokenToContinue();
    void aPinnedQueryShowsItsOwnPrediction();
    void bStandsBesideA();
    void anEncoderPredictsThePlaceItself();
    void anEncoderSaysWhyNothingIsSampled();
    void x1bAClickMasksATokenAndAnotherPutsItBack();
    void x1bACandidateIsWrittenInPlaceOfTheMask();
    void x1bTheSecondTextOfAPairIsReadAndJudged();
    void aTargetIsNoSecondTextOfAPair();
    void wordsThatCannotBeMaskedSaySo();
    void logitsThatAreNoNumbersGiveOneSentence();
    void aModelWithoutAHeadSaysSo();
    void aCharacterOfSeveralTokensIsFinishedByIds();
    void optionsAndFigure();
    void tokensBeyondTheContextAreCounted();

private:
    void show(const QString& model);

    bool isCurrent() const
    {
        return m_session->traceA() &&
               m_session->computation().shownTicket() == m_session->computation().postedTicket();
    }

    bool isDrawn() const
    {
        return isCurrent() && m_view->content().position + 1 ==
                                  static_cast<int>(m_session->traceA()->tokens().size());
    }

    TokenGenerator& generator() const { return childOf<TokenGenerator>(*m_view); }

    /// The tokens to mask.
    TokenStrip& words() const { return childOf<TokenStrip>(*m_view); }

    QPushButton* button(const QString& text) const
    {
        for (QPushButton* found : m_view->findChildren<QPushButton*>())
            if (found->text() == text)
                return found;
        return nullptr;
    }

    std::unique_ptr<Session> m_session;
    std::unique_ptr<NextTokenPage> m_view;
};

void TstNextToken::show(const QString& model)
{
    m_view.reset();
    m_session = std::make_unique<Session>(BackendRegistry(), openModel);
    m_session->computation().setDevice("cpu");
    m_session->document().replaceText("the cat sat");
    m_view = std::make_unique<NextTokenPage>(*m_session);
    m_view->resize(1240, 680);
    m_view->show();
    m_session->models().open(model);
    QTRY_VERIFY(isDrawn());
}

void TstNextToken::cleanup()
{
    m_view.reset();
    m_session.reset();
}

void TstNextToken::probabilitiesAreTheSoftmaxOfTheTracesLogits()
{
    const auto logits = m_session->traceA()->find({Site::Logits, 0});
    const auto n = logits->shape()[0];
    const auto expected = softmaxOf(logits->view()[n - 1].data, logits->shape()[1], 1.0);
    const NextTokenContent& content = m_view->content();
    QCOMPARE(content.rows.size(), 12U);
    double previous = 1.0;
    for (const NextTokenRow& row : content.rows) {
        const auto id = static_cast<std::size_t>(row.id);
        QVERIFY(std::abs(row.probability - expected[id]) < 1e-12);
        QCOMPARE(row.logit, double{logits->view()(n - 1, row.id)});
        QVERIFY(row.probability <= previous);
        previous = row.probability;
    }
    double entropy = 0.0;
    for (const double p : expected)
        entropy -= p * std::log2(p);
    QVERIFY(std::abs(content.entropy - entropy) < 1e-9);
    QVERIFY(!content.surprise);
}

void TstNextToken::temperatureScalesBeforeTheSoftmax()
{
    m_view->setOptions({{"temperature", 0.5}});
    const auto logits = m_session->traceA()->find({Site::Logits, 0});
    const auto last = logits->shape()[0] - 1;
    const auto expected = softmaxOf(logits->view()[last].data, logits->shape()[1], 0.5);
    for (const NextTokenRow& row : m_view->content().rows) {
        QCOMPARE(row.scaled, row.logit / 0.5);
        QVERIFY(std::abs(row.sampling - expected[static_cast<std::size_t>(row.id)]) < 1e-6);
    }
}

void TstNextToken::topKAndTopPCutAndTheRestSumsToOne()
{
    m_view->setOptions({{"temperature", 1.0}, {"top_k", 4}});
    QCOMPARE(m_view->content().kept, 4LL);
    double sum = 0.0;
    for (std::size_t row = 0; row < m_view->content().rows.size(); ++row) {
        const NextTokenRow& shown = m_view->content().rows[row];
        QCOMPARE(shown.cut, row < 4 ? NextTokenRow::Cut::Kept : NextTokenRow::Cut::TopK);
        sum += shown.sampling;
    }
    QVERIFY(std::abs(sum - 1.0) < 1e-5);
    const double first = m_view->content().rows[0].sampling;
    m_view->setOptions({{"temperature", 1.0}, {"top_k", 4}, {"top_p", first * 0.99}});
    QCOMPARE(m_view->content().kept, 1LL);
    QCOMPARE(m_view->content().rows[0].sampling, 1.0);
    QCOMPARE(m_view->content().rows[1].cut, NextTokenRow::Cut::TopP);
    QCOMPARE(m_view->content().rows[5].cut, NextTokenRow::Cut::TopK);
}

void TstNextToken::greedyKeepsOneToken()
{
    m_view->setOptions({{"temperature", 0.0}, {"top_k", 3}});
    QCOMPARE(m_view->content().kept, 1LL);
    QCOMPARE(m_view->content().rows[0].sampling, 1.0);
    QCOMPARE(m_view->content().rows[1].cut, NextTokenRow::Cut::Temperature);
}

void TstNextToken::slidersMoveTheStagesWithoutAnotherRun()
{
    const quint64 before = m_session->computation().postedTicket();
    auto* slider = m_view->findChildren<NamedSlider*>().at(0);
    const double sharp = m_view->content().rows[0].sampling;
    slider->setFocus();
    for (int press = 0; press < 20; ++press)
        QTest::keyClick(slider, Qt::Key_Left);
    QVERIFY(m_view->content().settings.temperature < 1.0);
    QVERIFY(m_view->content().rows[0].sampling > sharp);
    QCOMPARE(m_session->computation().postedTicket(), before);
}

void TstNextToken::sampleAppendsTheTokenOfTheSeed()
{
    m_view->setOptions({{"seed", 42}, {"top_k", 5}});
    const double uniform = Random(42, 0).uniform();
    double sum = 0.0;
    TokenId expected = 0;
    const auto& distribution = m_view->content().distribution;
    for (std::size_t id = 0; id < distribution.size(); ++id) {
        if (distribution[id] <= 0.0F)
            continue;
        sum += double{distribution[id]};
        expected = static_cast<TokenId>(id);
        if (sum > uniform)
            break;
    }
    const std::string bytes = m_session->model().tokenizer->tokenBytes(expected);
    const QString before = m_session->text();
    QTest::mouseClick(button("Sample"), Qt::LeftButton);
    if (QString::fromStdString(bytes).toStdString() == bytes)
        QCOMPARE(m_session->text(), before + QString::fromStdString(bytes));
    else
        QCOMPARE(m_session->text(), before); // half of a character is refused
}

void TstNextToken::theSameSeedGivesTheSameText()
{
    const auto run = [&](int seed) {
        m_session->document().replaceText("the cat sat");
        m_view->setOptions({{"seed", seed}, {"temperature", 0.3}, {"top_k", 3}});
        if (!QTest::qWaitFor([&] { return isDrawn(); }))
            return QString();
        generator().generate(3);
        if (!QTest::qWaitFor([&] { return !m_view->isGenerating() && isDrawn(); }))
            return QString();
        return m_session->text();
    };
    const QString first = run(3);
    QVERIFY(!first.isEmpty());
    QCOMPARE(run(3), first);
}

void TstNextToken::backspaceAndClicksRewind()
{
    m_view->setOptions({{"temperature", 0.0}});
    QStringList texts{m_session->text()};
    for (int token = 0; token < 3; ++token) {
        QTRY_VERIFY(isDrawn());
        QVERIFY(m_view->sampleOne());
        texts << m_session->text();
    }
    QTRY_VERIFY(isDrawn());
    QCOMPARE(generator().generatedTokens(), 3);
    m_view->focusMain();
    QTest::keyClick(m_view->findChild<NextTokenTable*>(), Qt::Key_Backspace);
    QCOMPARE(m_session->text(), texts[2]);
    QCOMPARE(generator().generatedTokens(), 2);
    auto* strip = m_view->findChild<GeneratedStrip*>();
    QTRY_COMPARE(QAccessible::queryAccessibleInterface(strip)->childCount(), 2);
    QTest::mouseClick(strip, Qt::LeftButton, {}, strip->chipRect(0).center().toPoint());
    QCOMPARE(m_session->text(), texts[0]);
    QCOMPARE(generator().generatedTokens(), 0);
    QTRY_VERIFY(isDrawn());
}

void TstNextToken::generatingCanBeStopped()
{
    m_view->setOptions({{"temperature", 0.0}});
    generator().generate(15);
    QVERIFY(m_view->isGenerating());
    QTRY_VERIFY(generator().generatedTokens() >= 2);
    m_view->focusMain();
    QTest::keyClick(m_view->findChild<NextTokenTable*>(), Qt::Key_Escape);
    QVERIFY(!m_view->isGenerating());
    const int made = generator().generatedTokens();
    QVERIFY(made < 15);
    QTRY_VERIFY(isDrawn());
    QCOMPARE(generator().generatedTokens(), made);
    QVERIFY(!m_view->escape());
}

void TstNextToken::generatingAddsAsManyAsAsked()
{
    m_view->setOptions({{"temperature", 0.0}});
    m_view->findChildren<QSpinBox*>().at(1)->setValue(4);
    QTest::mouseClick(button("Generate"), Qt::LeftButton);
    QTRY_VERIFY(!m_view->isGenerating());
    QCOMPARE(generator().generatedTokens(), 4);
}

void TstNextToken::typingForgetsWhatItOverwrote()
{
    m_view->setOptions({{"temperature", 0.0}});
    QVERIFY(m_view->sampleOne());
    QTRY_VERIFY(isDrawn());
    m_session->document().setText("the cat");
    QTRY_COMPARE(generator().generatedTokens(), 0);
}

void TstNextToken::aButtonSelectsTheTokenToContinue()
{
    QTRY_VERIFY(button("Sample")->isEnabled());
    QVERIFY(!button("Select the last token")->isVisible());
    m_session->view().selectPair(1, 0);
    QTRY_VERIFY(button("Select the last token")->isVisible());
    QTest::mouseClick(button("Select the last token"), Qt::LeftButton);
    QTRY_VERIFY(button("Sample")->isEnabled());
    QVERIFY(m_view->content().isLast);
}

void TstNextToken::aPinnedQueryShowsItsOwnPrediction()
{
    m_session->view().selectPair(1, 0);
    QTRY_COMPARE(m_view->content().position, 1);
    QVERIFY(!m_view->content().isLast);
    QVERIFY(!button("Sample")->isEnabled());
    QVERIFY(button("Select the last token")->isVisible());
    const auto logits = m_session->traceA()->find({Site::Logits, 0});
    const auto p = softmaxOf(logits->view()[1].data, logits->shape()[1], 1.0);
    const auto next = m_session->traceA()->tokens().tokens[2].id;
    QVERIFY(m_view->content().surprise);
    QVERIFY(std::abs(*m_view->content().surprise + std::log2(p[static_cast<std::size_t>(next)])) <
            1e-9);
    QVERIFY(!m_view->sampleOne());
    QCOMPARE(generator().generatedTokens(), 0);
}

void TstNextToken::bStandsBesideA()
{
    m_session->document().setHeadOff(0, 1, true);
    QTRY_VERIFY(isCurrent() && m_session->traceB());
    m_session->view().setShownVariant(headscope::ui::Variant::B);
    QTRY_VERIFY(!m_view->content().rows.empty() && m_view->content().rows[0].before.has_value());
    const auto a = m_session->traceA()->find({Site::Logits, 0});
    const auto b = m_session->traceB()->find({Site::Logits, 0});
    const auto last = a->shape()[0] - 1;
    const auto pa = softmaxOf(a->view()[last].data, a->shape()[1], 1.0);
    const auto pb = softmaxOf(b->view()[last].data, b->shape()[1], 1.0);
    for (const NextTokenRow& row : m_view->content().rows) {
        QVERIFY(std::abs(row.probability - pb[static_cast<std::size_t>(row.id)]) < 1e-12);
        QVERIFY(std::abs(*row.before - pa[static_cast<std::size_t>(row.id)]) < 1e-12);
    }
    QVERIFY(!m_view->grab().isNull());
}

void TstNextToken::anEncoderPredictsThePlaceItself()
{
    show("encoder");
    QVERIFY(m_view->content().inPlace);
    QVERIFY(m_view->content().surprise);
    QVERIFY(!button("Sample")->isEnabled());
    QVERIFY(!button("Sample")->toolTip().isEmpty());
}

void TstNextToken::x1bAClickMasksATokenAndAnotherPutsItBack()
{
    show("masks");
    QVERIFY(m_view->fillsIn() && words().isVisible());
    const auto click = [&](int index) {
        QTest::mouseClick(&words(), Qt::LeftButton, {}, words().chipRect(index).center().toPoint());
    };
    click(2); // [CLS] the cat sat
    QCOMPARE(m_session->text(), QString("the [MASK] sat"));
    QTRY_VERIFY(isCurrent() && m_view->content().after == QString("[MASK]"));
    QCOMPARE(m_view->content().position, 2);
    const auto logits = m_session->traceA()->find({Site::Logits, 0});
    const auto expected = softmaxOf(logits->view()[2].data, logits->shape()[1], 1.0);
    for (const NextTokenRow& row : m_view->content().rows)
        QVERIFY(std::abs(row.probability - expected[static_cast<std::size_t>(row.id)]) < 1e-12);
    click(3);
    QCOMPARE(m_session->text(), QString("the [MASK] [MASK]"));
    QTRY_VERIFY(isCurrent());
    click(2);
    QCOMPARE(m_session->text(), QString("the cat [MASK]"));
    words().setFocus();
    QTest::keyClick(&words(), Qt::Key_Right);
    QTest::keyClick(&words(), Qt::Key_Return);
    QCOMPARE(m_session->text(), QString("the cat sat"));
    m_session->document().undoStack().undo();
    QCOMPARE(m_session->text(), QString("the cat [MASK]"));
}

void TstNextToken::x1bACandidateIsWrittenInPlaceOfTheMask()
{
    show("masks");
    m_view->maskToken(2);
    QTRY_VERIFY(isCurrent() && m_view->content().position == 2 &&
                m_view->content().after == QString("[MASK]"));
    NextTokenTable& table = *m_view->findChild<NextTokenTable*>();
    int row = 0;
    while (m_view->content().rows[static_cast<std::size_t>(row)].label != "dog")
        ++row;
    QTest::mouseClick(&table, Qt::LeftButton, {}, table.rowRect(row).center().toPoint());
    auto* write = m_view->findChild<QPushButton*>("writeCandidate");
    QVERIFY(write->isEnabled() && write->text().contains("dog"));
    QTest::mouseDClick(&table, Qt::LeftButton, {}, table.rowRect(row).center().toPoint());
    QCOMPARE(m_session->text(), QString("the dog sat"));
    QTRY_VERIFY(isCurrent() && m_view->content().after == QString("dog"));
    QVERIFY(!write->isEnabled());
    QTest::keyClick(m_view.get(), Qt::Key_M);
    QCOMPARE(m_session->text(), QString("the [MASK] sat"));
    QTRY_VERIFY(isCurrent() && m_view->content().after == QString("[MASK]"));
    QTest::keyClick(m_view.get(), Qt::Key_W);
    QVERIFY(m_session->text() != QString("the [MASK] sat"));
}

void TstNextToken::x1bTheSecondTextOfAPairIsReadAndJudged()
{
    show("masks");
    m_session->document().setTarget("a dog ran");
    QTRY_VERIFY(isCurrent() && m_session->traceA()->tokens().size() == 9);
    QCOMPARE(m_session->document().tokens().ids(),
             (std::vector<TokenId>{2, 5, 6, 8, 3, 11, 7, 9, 3}));
    const auto logits = m_session->traceA()->find({Site::NextSentence, 0});
    QVERIFY(logits);
    const double follows =
        1.0 / (1.0 + std::exp(double{logits->view()(0, 1)} - double{logits->view()(0, 0)}));
    const QString shown = number(std::max(follows, 1.0 - follows), 3);
    const auto isShown = [&] { // the page follows its trace a moment later
        return std::ranges::any_of(m_view->findChildren<TextLabel*>(), [&](const TextLabel* label) {
            return label->text().contains(shown);
        });
    };
    QTRY_VERIFY2(isShown(), qPrintable(shown));
    m_view->maskToken(6); // dog, in the second text
    QCOMPARE(m_session->text(), QString("the cat sat"));
    QCOMPARE(m_session->document().target(), QString("a [MASK] ran"));
    m_view->maskToken(6);
    QCOMPARE(m_session->document().target(), QString("a dog ran"));
}

void TstNextToken::aTargetIsNoSecondTextOfAPair()
{
    show("translator");
    m_session->document().setTarget("1987");
    const auto open = [this](const char* model) {
        m_session->models().open(model);
        QTRY_COMPARE(m_session->model().name, std::string(model));
    };
    open("tiny"); // has no second text
    open("translator");
    QCOMPARE(m_session->document().target(), QString("1987"));
    QSignalSpy changes(m_session.get(), &Session::textChanged);
    open("masks");
    QCOMPARE(m_session->document().target(), QString());
    QCOMPARE(changes.size(), 1);
    m_session->document().setTarget("a dog ran");
    open("tiny");
    open("masks");
    QCOMPARE(m_session->document().target(), QString("a dog ran"));
}

void TstNextToken::wordsThatCannotBeMaskedSaySo()
{
    show("masks");
    QString note;
    connect(m_session.get(), &Session::noteRaised, this, [&](const QString& text) { note = text; });
    m_view->maskToken(0);
    QVERIFY2(note.contains("added by the model"), qPrintable(note));
    m_session->document().replaceText("the [MASK] sat");
    QTRY_VERIFY(isCurrent());
    m_view->maskToken(2);
    QVERIFY2(note.contains("typed"), qPrintable(note));
    QCOMPARE(m_session->text(), QString("the [MASK] sat"));
    show("tiny");
    QVERIFY(!m_view->fillsIn() && !words().isVisible());
}

void TstNextToken::logitsThatAreNoNumbersGiveOneSentence()
{
    const Trace& whole = *m_session->traceA();
    ViewSnapshot view = m_session->viewSnapshot();
    const float infinity = std::numeric_limits<float>::infinity();
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), infinity}) {
        Tensor logits = *whole.find({Site::Logits, 0});
        logits.data()[logits.size() - 1] = bad;
        Trace::Activations activations = whole.activations();
        activations[{Site::Logits, 0}] = std::make_shared<const Tensor>(std::move(logits));
        view.a = std::make_shared<const Trace>(whole.tokens(), activations, whole.info());
        const NextTokenContent content = nextTokenContent(view, {});
        QVERIFY(content.rows.empty());
        QVERIFY(content.distribution.empty());
        QVERIFY2(content.problem.contains("not all finite"), qPrintable(content.problem));
        QVERIFY(nextTokens(*view.a, -1, 5, nullptr).empty());
        QVERIFY(!nextTokens(*view.a, 0, 5, nullptr).empty()); // another position is whole
    }
    QVERIFY(nextTokenContent(m_session->viewSnapshot(), {}).problem.isEmpty());
}

void TstNextToken::tokensBeyondTheContextAreCounted()
{
    const auto facts = [this] {
        QString text;
        for (const TextLabel* label : m_view->findChildren<TextLabel*>())
            text += label->text() + QLatin1Char('\n');
        return text;
    };
    QTRY_VERIFY(isDrawn());
    QCOMPARE(m_view->content().unread, 0LL);
    QTRY_VERIFY2(facts().contains("no next token yet"), qPrintable(facts()));
    m_session->document().replaceText(QString("the cat sat on a mat ").repeated(10));
    QTRY_VERIFY(isDrawn());
    const auto all = static_cast<long long>(m_session->document().tokens().size());
    const long long unread = all - 32;
    QVERIFY(unread > 1);
    QTRY_COMPARE(m_view->content().unread, unread);
    QTRY_VERIFY2(facts().contains(QString("%1 more tokens are beyond").arg(count(unread))),
                 qPrintable(facts()));
    QVERIFY(!facts().contains("no next token yet"));
}

void TstNextToken::aModelWithoutAHeadSaysSo()
{
    InspectorPage other(*m_session);
    other.resize(312, 900);
    other.show();
    const auto heading = [](const InspectorPage& inspector) {
        for (const TextLabel* label : inspector.findChildren<TextLabel*>())
            if (label->text() == "Next token")
                return label->isVisible();
        return false;
    };
    QTRY_VERIFY(heading(other));
    other.hide();

    auto session = std::make_unique<Session>(BackendRegistry(), openModel);
    session->computation().setDevice("cpu");
    session->document().replaceText("the cat sat");
    NextTokenPage page(*session);
    page.resize(1240, 680);
    page.show();
    InspectorPage inspector(*session);
    inspector.resize(312, 900);
    inspector.show();
    session->models().open("headless");
    QTRY_VERIFY(page.content().problem.contains("no head that predicts"));
    QVERIFY(page.content().rows.empty());
    QTRY_VERIFY(!session->traceA()->find({Site::Logits, 0}));
    QTest::qWait(0);
    QVERIFY(!heading(inspector));
}

void TstNextToken::anEncoderSaysWhyNothingIsSampled()
{
    show("encoder");
    QTRY_VERIFY(isCurrent());
    QVERIFY(!m_view->sampleOne());
    QVERIFY(!button("Sample")->isEnabled());
    QVERIFY(button("Sample")->toolTip().contains("encoder"));
    QCOMPARE(m_session->text(), QString("the cat sat"));
}

/// The tiny vocabulary has every byte by itself, so most seeds begin a character they cannot end;
/// one that ends it is looked for by hand.
void TstNextToken::aCharacterOfSeveralTokensIsFinishedByIds()
{
    QTRY_VERIFY(isDrawn());
    const LoadedModel& model = m_session->model();
    const TokenSequence before = m_session->traceA()->tokens();
    DrawnCharacter drawn;
    int seed = 0;
    int refused = 0;
    while (!(drawn.isWhole && drawn.ids.size() > 1)) {
        ++seed;
        QVERIFY(seed < 3000);
        const auto bySeed = static_cast<std::uint64_t>(seed);
        const TokenId first = sampleAt(m_view->content().distribution, drawOf(bySeed, 0));
        if (model.tokenizer->isSpecial(first) || isWholeText(model.tokenizer->tokenBytes(first)))
            continue;
        drawn = finishCharacter(model, before, first, {},
                                [bySeed](int count) { return drawOf(bySeed, count); });
        if (!drawn.isWhole && refused == 0)
            refused = seed;
    }
    QVERIFY(refused > 0);
    const auto seeds = m_view->findChildren<QSpinBox*>();
    auto* box = *std::find_if(seeds.begin(), seeds.end(), [](const QSpinBox* each) {
        return each->accessibleName() == "Seed";
    });
    box->setValue(refused);
    QVERIFY(m_view->sampleOne()); // goes on by itself, and then says that it cannot end
    QTRY_VERIFY(!generator().isFinishing());
    QCOMPARE(m_session->text(), QString("the cat sat"));
    QCOMPARE(m_view->generatedSteps(), 0);
    box->setValue(seed);
    QVERIFY(m_view->sampleOne());
    QTRY_VERIFY(!generator().isFinishing());
    QCOMPARE(m_session->text().toStdString(), "the cat sat" + drawn.bytes);
    QCOMPARE(m_view->generatedSteps(), 1);
    QCOMPARE(generator().generatedTokens(), static_cast<int>(drawn.ids.size()));
    // each further token was drawn from what the model says after the ids before it
    Tracer tracer(model, std::make_unique<CpuAttention>());
    TokenSequence tokens = before;
    for (std::size_t count = 0; count < drawn.ids.size(); ++count) {
        const TracePtr trace = tracer.trace(tokens, TraceRequest::forViews());
        const auto logits = trace->find({Site::Logits, 0});
        const TensorView row = logits->view()[logits->shape()[0] - 1];
        const auto p = samplingDistribution({row.data, static_cast<std::size_t>(row.shape[0])}, {});
        QCOMPARE(drawn.ids[count],
                 sampleAt(p, drawOf(static_cast<std::uint64_t>(seed), static_cast<int>(count))));
        tokens.tokens.push_back({drawn.ids[count], {0, 0}, false});
    }
    m_view->rewind(0);
    QCOMPARE(m_session->text(), QString("the cat sat"));
}

void TstNextToken::optionsAndFigure()
{
    m_view->setOptions({{"temperature", 0.7}, {"top_k", 6}, {"top_p", 0.9}, {"seed", 11}});
    const QJsonObject options = m_view->options();
    QCOMPARE(options.value("temperature").toDouble(), 0.7);
    QCOMPARE(options.value("seed").toInt(), 11);
    const Figure figure = m_view->figure();
    QCOMPARE(figure.numbers.size(), 1U);
    QCOMPARE(figure.numbers[0].values.at({0, 3}),
             static_cast<float>(m_view->content().rows[0].sampling));
    QVERIFY(figure.size(Theme::light()).height() > 200.0);
    m_view->setOptions({{"temperature", -3.0}, {"top_p", 7.0}, {"top_k", -1}});
    QCOMPARE(m_view->content().settings.temperature, 0.0);
    QCOMPARE(m_view->content().settings.topP, 1.0);
    QCOMPARE(m_view->content().settings.topK, 0);
}

HEADSCOPE_WINDOW_TEST(TstNextToken)
#include "tst_next_token.moc"
