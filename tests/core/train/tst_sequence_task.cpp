#include "core/base/error.h"
#include "core/train/data/sequence_task.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <regex>
#include <set>

using namespace headscope;

namespace {

SequenceTask task(SequenceTaskKind kind, std::int64_t shortest = 3, std::int64_t longest = 10)
{
    SequenceTaskSettings settings;
    settings.kind = kind;
    settings.shortest = shortest;
    settings.longest = longest;
    return SequenceTask(*sequenceTokenizer(), 64, settings);
}

/// The tokens of one row of `width` values that are not hidden.
std::vector<TokenId> shown(const std::vector<TokenId>& tokens,
                           const std::vector<std::uint8_t>& mask, std::int64_t width,
                           std::int64_t row)
{
    std::vector<TokenId> result;
    for (std::int64_t i = row * width; i < (row + 1) * width; ++i) {
        if (mask[static_cast<std::size_t>(i)] != 0)
            result.push_back(tokens[static_cast<std::size_t>(i)]);
    }
    return result;
}

} // namespace

class TstSequenceTask : public QObject
{
    Q_OBJECT

private slots:

    void sumsCanBeginWithTheirLastDigit()
    {
        SequenceTaskSettings settings;
        settings.kind = SequenceTaskKind::Addition;
        settings.shortest = 1;
        settings.longest = 4;
        const SequenceTask plain(*sequenceTokenizer(), 64, settings);
        settings.reversedSum = true;
        const SequenceTask reversed(*sequenceTokenizer(), 64, settings);
        for (std::uint64_t i = 0; i < 50; ++i) {
            const SequencePair pair = plain.pair(2, i);
            const SequencePair other = reversed.pair(2, i);
            QCOMPARE(other.source, pair.source);
            QCOMPARE(other.target, std::string(pair.target.rbegin(), pair.target.rend()));
            const std::size_t plus = pair.source.find('+');
            QCOMPARE(std::stoll(pair.target), std::stoll(pair.source.substr(0, plus)) +
                                                  std::stoll(pair.source.substr(plus + 1)));
        }
    }

    void symbolsAreReversedCopiedAndSorted()
    {
        std::set<std::size_t> lengths;
        for (std::uint64_t i = 0; i < 300; ++i) {
            const SequencePair reverse = task(SequenceTaskKind::Reverse).pair(1, i);
            QCOMPARE(reverse.target, std::string(reverse.source.rbegin(), reverse.source.rend()));
            const SequencePair copy = task(SequenceTaskKind::Copy).pair(1, i);
            QCOMPARE(copy.target, copy.source);
            const SequencePair sort = task(SequenceTaskKind::Sort).pair(1, i);
            QVERIFY(std::ranges::is_sorted(sort.target));
            QVERIFY(std::ranges::is_permutation(sort.target, sort.source));
            lengths.insert(sort.source.size());
        }
        QCOMPARE(*lengths.begin(), std::size_t{3});
        QCOMPARE(*lengths.rbegin(), std::size_t{10});
    }

    void sumsAreRight()
    {
        const SequenceTask sums = task(SequenceTaskKind::Addition, 1, 3);
        const std::regex form("([0-9]{1,3})\\+([0-9]{1,3})");
        for (std::uint64_t i = 0; i < 300; ++i) {
            const SequencePair pair = sums.pair(2, i);
            std::smatch numbers;
            QVERIFY(std::regex_match(pair.source, numbers, form));
            QCOMPARE(pair.target, std::to_string(std::stoi(numbers[1]) + std::stoi(numbers[2])));
        }
    }

    /// Both numbers have any value of up to three digits: "999+999" and <eos>, "1998" and <eos>.
    void sumsFillTheirRows()
    {
        const SequenceTask sums = task(SequenceTaskKind::Addition, 1, 3);
        const Batch batch = sums.trainingBatch(1, 0);
        QCOMPARE(batch.sourceLength, std::int64_t{8});
        QCOMPARE(batch.length, std::int64_t{5});
        int largest = 0;
        std::size_t longest = 0;
        for (std::uint64_t i = 0; i < 1000; ++i) {
            const SequencePair pair = sums.pair(2, i);
            largest = std::max(largest, std::stoi(pair.source));
            longest = std::max(longest, pair.source.size());
        }
        QVERIFY2(largest > 950, qPrintable(QString::number(largest)));
        QCOMPARE(longest, std::size_t{7});
    }

    void datesAreNormalised()
    {
        const SequenceTask dates = task(SequenceTaskKind::Dates);
        const std::regex form("(19|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])");
        std::size_t longest = 0;
        for (std::uint64_t i = 0; i < 2000; ++i) {
            const SequencePair pair = dates.pair(3, i);
            QVERIFY2(std::regex_match(pair.target, form), pair.target.c_str());
            QVERIFY(pair.source.find(pair.target.substr(0, 4)) != std::string::npos);
            longest = std::max(longest, pair.source.size());
            if (pair.target.substr(5) == "02-29")
                QVERIFY(std::stoi(pair.target) % 4 == 0 && pair.target.substr(0, 4) != "1900");
        }
        QCOMPARE(longest, std::string("september 30, 1987").size());
    }

    void batchesForceTheTeachersTokens()
    {
        const auto tokenizer = sequenceTokenizer();
        const SequenceTask reverse = task(SequenceTaskKind::Reverse);
        const Batch batch = reverse.trainingBatch(7, 2);
        QCOMPARE(batch.length, std::int64_t{11});
        QCOMPARE(batch.sourceLength, std::int64_t{11});
        for (std::int64_t row = 0; row < batch.rows; ++row) {
            const SequencePair pair =
                reverse.pair(7, static_cast<std::uint64_t>(2 * batch.rows + row));
            const auto source = shown(batch.sources, batch.sourceKeyMask, 11, row);
            QCOMPARE(tokenizer->decode(source), pair.source + "<eos>");
            QCOMPARE(source, tokenizer->encode(pair.source).ids());
            QCOMPARE(tokenizer->decode(shown(batch.inputs, batch.keyMask, 11, row)),
                     "<bos>" + pair.target);
            QCOMPARE(tokenizer->decode(shown(batch.targets, batch.keyMask, 11, row)),
                     pair.target + "<eos>");
        }
        for (std::size_t i = 0; i < batch.targets.size(); ++i) {
            QCOMPARE(batch.targets[i] == kIgnoredTarget, batch.keyMask[i] == 0);
            QCOMPARE(batch.inputs[i] == 0, batch.keyMask[i] == 0);
            QCOMPARE(batch.sources[i] == 0, batch.sourceKeyMask[i] == 0);
        }
        QVERIFY(reverse.trainingBatch(7, 2).sources == batch.sources);
        QVERIFY(reverse.trainingBatch(7, 3).sources != batch.sources);
        QVERIFY(reverse.trainingBatch(8, 2).sources != batch.sources);
        QVERIFY(reverse.validationBatch(0).sources != reverse.validationBatch(1).sources);
        QVERIFY_EXCEPTION_THROWN(reverse.validationBatch(4), Error);
    }

    void everyByteIsAToken()
    {
        const auto tokenizer = sequenceTokenizer();
        QCOMPARE(tokenizer->vocabularySize(), std::size_t{259});
        QCOMPARE(*tokenizer->find("<pad>"), 0);
        std::string bytes;
        for (int byte = 0; byte < 256; ++byte)
            bytes += static_cast<char>(byte);
        QCOMPARE(tokenizer->decode(tokenizer->encode(bytes).ids(), true), bytes);
    }

    void impossibleTasksAreRefused()
    {
        QVERIFY_EXCEPTION_THROWN(task(SequenceTaskKind::Copy, 0, 4), Error);
        QVERIFY_EXCEPTION_THROWN(task(SequenceTaskKind::Copy, 5, 4), Error);
        QVERIFY_EXCEPTION_THROWN(task(SequenceTaskKind::Copy, 5, 64), Error);
        QVERIFY_EXCEPTION_THROWN(task(SequenceTaskKind::Addition, 1, 18), Error);
        task(SequenceTaskKind::Copy, 63, 63);
        BpeVocabulary vocabulary = sequenceTokenizer()->vocabulary();
        vocabulary.tokens[1] = vocabulary.addedTokens[1].content = "<start>";
        QVERIFY_EXCEPTION_THROWN(SequenceTask(BpeTokenizer(vocabulary), 64), Error);
    }
};

HEADSCOPE_TEST(TstSequenceTask)
#include "tst_sequence_task.moc"
