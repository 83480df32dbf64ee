#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/random.h"
#include "core/io/csv.h"
#include "core/io/npy.h"
#include "tests/support/test_program.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <bit>
#include <cmath>
#include <limits>

using namespace headscope;

namespace {

Tensor strangeValues(const Shape& shape)
{
    Tensor tensor(shape);
    const float strange[] = {0.1F, -0.0F, 1e-42F, 3.4028235e38F, 1.0F / 3.0F, -7.0F};
    for (std::size_t index = 0; index < tensor.size(); ++index)
        tensor.data()[index] = strange[index % std::size(strange)] + 0.0F;
    return tensor;
}

std::string npyOf(const std::string& header, std::size_t dataBytes, char version = 1)
{
    std::string bytes = "\x93NUMPY";
    bytes += version;
    bytes += '\0';
    bytes += static_cast<char>(header.size() & 0xFF);
    bytes += static_cast<char>(header.size() >> 8);
    return bytes + header + std::string(dataBytes, '\1');
}

std::string headerWith(const std::string& type, const std::string& order, const std::string& shape)
{
    return "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

/// Reads one line of CSV the slow way.
std::vector<std::string> fieldsOf(const std::string& csv, std::size_t& at)
{
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (; at < csv.size(); ++at) {
        const char letter = csv[at];
        if (quoted && letter == '"' && at + 1 < csv.size() && csv[at + 1] == '"')
            fields.back() += csv[++at];
        else if (letter == '"')
            quoted = !quoted;
        else if (!quoted && letter == ',')
            fields.emplace_back();
        else if (!quoted && letter == '\r') {
            at += 2;
            return fields;
        } else
            fields.back() += letter;
    }
    return fields;
}

} // namespace

class TstNumbers : public QObject
{
    Q_OBJECT

private slots:

    void everyShapeComesBackBitForBit_data()
    {
        QTest::addColumn<QList<int>>("extents");
        QTest::newRow("a number") << QList<int>{};
        QTest::newRow("a row") << QList<int>{7};
        QTest::newRow("a matrix") << QList<int>{3, 5};
        QTest::newRow("none") << QList<int>{0, 4};
        QTest::newRow("five axes") << QList<int>{2, 1, 3, 1, 2};
    }

    void everyShapeComesBackBitForBit()
    {
        QFETCH(QList<int>, extents);
        Shape shape;
        for (const int extent : extents)
            shape.append(extent);
        const Tensor tensor = strangeValues(shape);
        saveNpy(path("a.npy"), tensor.view());
        const Tensor back = loadNpy(path("a.npy"));
        QVERIFY(back.shape() == shape);
        for (std::size_t index = 0; index < tensor.size(); ++index)
            QCOMPARE(std::bit_cast<std::uint32_t>(back.data()[index]),
                     std::bit_cast<std::uint32_t>(tensor.data()[index]));
        const std::string bytes = readFile(path("a.npy"), 1 << 20);
        QCOMPARE((bytes.size() - tensor.size() * sizeof(float)) % 64, std::size_t{0});
    }

    void aViewOfPartOfATensorIsWrittenInOrder()
    {
        const Tensor tensor = strangeValues({4, 6});
        TensorView part = tensor.view();
        part.shape = {4, 2};
        part.data += 1;
        saveNpy(path("part.npy"), part);
        const Tensor back = loadNpy(path("part.npy"));
        for (int row = 0; row < 4; ++row)
            for (int column = 0; column < 2; ++column)
                QCOMPARE(back.view()(row, column), tensor.view()(row, column + 1));
    }

    void numpyReadsTheSameNumbers()
    {
        QProcess python;
        python.start("python3", {"-c", "import numpy"});
        if (!python.waitForFinished() || python.exitCode() != 0)
            QSKIP("numpy is not installed");
        Tensor tensor({2, 3});
        for (int index = 0; index < 6; ++index)
            tensor.data()[index] = static_cast<float>(index) / 7.0F;
        saveNpy(path("n.npy"), tensor.view());
        python.start("python3", {"-c",
                                 "import numpy,sys; a=numpy.load(sys.argv[1]);"
                                 "print(a.dtype, a.shape, *[repr(float(x)) for x in a.flat])",
                                 QString::fromStdString(path("n.npy").string())});
        QVERIFY(python.waitForFinished());
        const QList<QByteArray> words = python.readAllStandardOutput().trimmed().split(' ');
        QCOMPARE(words.mid(0, 3), (QList<QByteArray>{"float32", "(2,", "3)"}));
        for (int index = 0; index < 6; ++index)
            QCOMPARE(static_cast<float>(words[3 + index].toDouble()), tensor.data()[index]);
    }

    void damagedArraysAreRefused_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        const auto row = [](const char* name, const std::string& bytes) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes);
        };
        const std::string fine = headerWith("<f4", "False", "(2, 2)");
        row("empty", "");
        row("another format", "PK\3\4 something else");
        row("only a preamble", npyOf("", 0));
        row("header longer than the file", npyOf(fine, 0).substr(0, 20));
        row("version 9", npyOf(fine, 16, 9));
        row("doubles", npyOf(headerWith("<f8", "False", "(2, 2)"), 32));
        row("objects", npyOf(headerWith("|O", "False", "(2, 2)"), 16));
        row("Fortran order", npyOf(headerWith("<f4", "True", "(2, 2)"), 16));
        row("too few values", npyOf(fine, 12));
        row("too many values", npyOf(fine, 20));
        row("negative", npyOf(headerWith("<f4", "False", "(-2, 2)"), 16));
        row("a product that wraps",
            npyOf(headerWith("<f4", "False", "(4194305, 4194305, 211106198978564)"), 16));
        row("huge and nothing", npyOf(headerWith("<f4", "False", "(9000000000000000000, 0)"), 0));
        row("six axes", npyOf(headerWith("<f4", "False", "(1, 1, 1, 1, 1, 1)"), 4));
        row("no shape", npyOf("{'descr': '<f4', 'fortran_order': False}\n", 4));
        row("an open shape", npyOf("{'descr': '<f4', 'fortran_order': False, 'shape': (2", 8));
        row("words", npyOf(headerWith("<f4", "False", "(two)"), 8));
    }

    void damagedArraysAreRefused()
    {
        QFETCH(QByteArray, bytes);
        writeAtomically(path("bad.npy"), bytes.toStdString());
        QVERIFY_THROWS_EXCEPTION(FormatError, loadNpy(path("bad.npy")));
    }

    void commaSeparatedValuesKeepNamesAndEveryDigit()
    {
        Tensor tensor({3, 4});
        Random random(7);
        for (float& value : tensor.values())
            value = static_cast<float>(random.normal()) * 1e-3F;
        const std::vector<std::string> rows{"the", "say \"no\"", "line\r\nend"};
        const std::vector<std::string> columns{"a,b", "\xE7\x8C\xAB", "", " space"};
        const std::string csv = toCsv({rows, columns, tensor.view()});
        std::size_t at = 0;
        const std::vector<std::string> head = fieldsOf(csv, at);
        QCOMPARE(std::vector<std::string>(head.begin() + 1, head.end()), columns);
        for (int row = 0; row < 3; ++row) {
            const std::vector<std::string> fields = fieldsOf(csv, at);
            QCOMPARE(fields.size(), std::size_t{5});
            QCOMPARE(fields[0], rows[static_cast<std::size_t>(row)]);
            for (int column = 0; column < 4; ++column)
                QCOMPARE(std::strtof(fields[static_cast<std::size_t>(column) + 1].c_str(), nullptr),
                         tensor.view()(row, column));
        }
        QCOMPARE(at, csv.size());
    }

    void whatIsNoNumberHasAName()
    {
        QCOMPARE(exactNumber(std::nanf("")), std::string("nan"));
        QCOMPARE(exactNumber(std::numeric_limits<float>::infinity()), std::string("inf"));
        QCOMPARE(exactNumber(-std::numeric_limits<float>::infinity()), std::string("-inf"));
        QCOMPARE(exactNumber(0.1F), std::string("0.1"));
        QCOMPARE(exactNumber(0.25F), std::string("0.25"));
    }

private:
    std::filesystem::path path(const char* name) const
    {
        return m_folder.filePath(name).toStdString();
    }

    QTemporaryDir m_folder;
};

HEADSCOPE_TEST(TstNumbers)
#include "tst_numbers.moc"
