#include "core/attention/attention_check.h"

#include "core/attention/attention_operands.h"
#include "core/attention/reference_attention.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace headscope;

namespace {

/// 2 texts, 2 heads of 4 channels, 3 queries, 5 keys.
AttentionCase smallCase()
{
    AttentionCase test;
    test.name = "small";
    test.batch = 2;
    test.queryHeads = 2;
    test.keyHeads = 2;
    test.queryTokens = 3;
    test.keyTokens = 5;
    test.headDim = 4;
    test.valueDim = 4;
    test.bias = true;
    return test;
}

enum class Result { None, Context, Pattern, Scores, LogSumExp, Queries, Keys, Values, Bias };

/// The reference, with `error` added to one element of one result.
class Wrong : public AttentionBackend
{
public:
    Wrong(Result result, std::int64_t index, float error)
        : m_result(result)
        , m_index(index)
        , m_error(error)
    {
    }

    std::string_view name() const override { return "wrong"; }

    std::string describe() const override { return "wrong"; }

    bool supports(const AttentionInputs& inputs) const override
    {
        return inputs.queries.shape[3] <= 4;
    }

private:
    void computeForward(const AttentionInputs& inputs, const AttentionOutputs& outputs) override
    {
        m_reference.forward(inputs, outputs);
        spoil(Result::Context, outputs.context);
        spoil(Result::Pattern, outputs.pattern);
        spoil(Result::Scores, outputs.scores);
        spoil(Result::LogSumExp, outputs.logSumExp);
    }

    void computeBackward(const AttentionInputs& inputs, const AttentionSaved& saved,
                         const AttentionGradients& gradients) override
    {
        m_reference.backward(inputs, saved, gradients);
        spoil(Result::Queries, gradients.queries);
        spoil(Result::Keys, gradients.keys);
        spoil(Result::Values, gradients.values);
        spoil(Result::Bias, gradients.bias);
    }

    void spoil(Result result, const MutableTensorView& view) const
    {
        if (result == m_result)
            view.data[m_index] += m_error;
    }

    Result m_result;
    std::int64_t m_index;
    float m_error;
    ReferenceAttention m_reference;
};

std::string problemOf(Wrong backend)
{
    return compareWithReference(backend, smallCase()).problem;
}

} // namespace

class TstAttentionCheck : public QObject
{
    Q_OBJECT

private slots:
    void oneWrongElementIsReported_data();
    void oneWrongElementIsReported();
    void writesOutsideAResultAreReported();
    void theFirstOfEqualProblemsIsReported();
    void smallErrorsAreMeasuredAndAllowed();
    void unsupportedCasesAreNotCompared();
    void scatteredMasksLeaveRowsWithoutKeys();
    void casesHaveTheTermsOfTheirNames();
};

void TstAttentionCheck::oneWrongElementIsReported_data()
{
    QTest::addColumn<int>("result");
    QTest::addColumn<int>("last");
    QTest::addColumn<QString>("name");
    const auto row = [](Result result, int elements, const char* name) {
        QTest::newRow(name) << static_cast<int>(result) << elements - 1 << QString(name);
    };
    row(Result::Context, 2 * 2 * 3 * 4, "context");
    row(Result::Pattern, 2 * 2 * 3 * 5, "pattern");
    row(Result::Scores, 2 * 2 * 3 * 5, "scores");
    row(Result::LogSumExp, 2 * 2 * 3, "logSumExp");
    row(Result::Queries, 2 * 2 * 3 * 4, "gradient of queries");
    row(Result::Keys, 2 * 2 * 5 * 4, "gradient of keys");
    row(Result::Values, 2 * 2 * 5 * 4, "gradient of values");
    row(Result::Bias, 2 * 3 * 5, "gradient of bias");
}

void TstAttentionCheck::oneWrongElementIsReported()
{
    QFETCH(const int, result);
    QFETCH(const int, last);
    QFETCH(const QString, name);
    for (const int index : {0, last}) {
        const std::string problem = problemOf({static_cast<Result>(result), index, 0.5F});
        const std::string begin = "small: " + name.toStdString() + " at " + std::to_string(index);
        QVERIFY2(problem.starts_with(begin + " is "), problem.c_str());
    }
}

void TstAttentionCheck::writesOutsideAResultAreReported()
{
    for (const int outside : {-64, -1, 2 * 2 * 3 * 4, 2 * 2 * 3 * 4 + 63})
        QCOMPARE(problemOf({Result::Context, outside, 0.5F}),
                 std::string("small: wrote outside the context"));
}

void TstAttentionCheck::theFirstOfEqualProblemsIsReported()
{
    const std::string problem = problemOf({Result::Context, 3, NAN});
    QVERIFY2(problem.starts_with("small: context at 3 is nan"), problem.c_str());
}

void TstAttentionCheck::smallErrorsAreMeasuredAndAllowed()
{
    Wrong backend(Result::LogSumExp, 1, 4e-6F);
    const AttentionComparison got = compareWithReference(backend, smallCase());
    QCOMPARE(got.problem, std::string());
    QVERIFY(got.largestError > 2e-6 && got.largestError < 2e-5);
    Wrong exact(Result::None, 0, 0.0F);
    QCOMPARE(compareWithReference(exact, smallCase()).largestError, 0.0);
}

void TstAttentionCheck::unsupportedCasesAreNotCompared()
{
    AttentionCase wide = smallCase();
    wide.headDim = 5;
    Wrong backend(Result::Context, 0, 1.0F);
    const AttentionComparison got = compareWithReference(backend, wide);
    QVERIFY(!got.supported);
    QCOMPARE(got.problem, std::string());
}

void TstAttentionCheck::scatteredMasksLeaveRowsWithoutKeys()
{
    AttentionCase test = smallCase();
    test.queryTokens = 9;
    test.mask = CaseMask::Scattered;
    const AttentionOperands operands(test, 1);
    const AttentionMask mask = operands.inputs().mask;
    QCOMPARE(mask.allowedQueryStride, std::int64_t{5});
    QCOMPARE(mask.allowedBatchStride, std::int64_t{9 * 5});
    for (int row = 0; row < 2 * 9; ++row) {
        const std::uint8_t* bytes = mask.allowed + row * 5;
        const auto visible = std::count(bytes, bytes + 5, std::uint8_t{1});
        QVERIFY(row % 7 != 0 || visible == 0);
    }
}

void TstAttentionCheck::casesHaveTheTermsOfTheirNames()
{
    for (const AttentionCase& test : attentionCases()) {
        const bool all = test.name.find("every term") != std::string::npos ||
                         test.name.find("all terms") != std::string::npos;
        const auto names = [&](const char* term) {
            return all || test.name.find(term) != std::string::npos;
        };
        QVERIFY2(!names("bias") || test.bias, test.name.c_str());
        QVERIFY2(!names("ALiBi") || test.alibi, test.name.c_str());
        QVERIFY2(!names("soft cap") || test.softCap > 0.0F, test.name.c_str());
        QVERIFY2(!names("dropout") || test.dropout > 0.0F, test.name.c_str());
    }
}

HEADSCOPE_TEST(TstAttentionCheck)
#include "tst_attention_check.moc"
