// Several processes that mpirun starts train and attend as one does.
#include "tests/app/run_headscope.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>

#include <cmath>

using namespace headscope::test;

namespace {

constexpr int kProcesses = 3;

/// As runHeadscope, by mpirun: one thread each, more processes than processors allowed.
Outcome runTogether(const QStringList& arguments)
{
    return runHeadscope({}, {}, [&](QProcess& process) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("OMPI_ALLOW_RUN_AS_ROOT", "1");
        environment.insert("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        environment.insert("OMPI_MCA_btl_vader_single_copy_mechanism", "none"); // in containers
        environment.insert("OMPI_MCA_btl", "self,vader");
        environment.insert("HEADSCOPE_THREADS", "1");
        process.setProcessEnvironment(environment);
        process.setProgram("mpirun");
        process.setArguments(QStringList{"--oversubscribe", "--bind-to", "none", "-n",
                                         QString::number(kProcesses), executable()} +
                             arguments);
    });
}

QString config(const QTemporaryDir& folder, int steps)
{
    const QString path = folder.filePath("config.json");
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write(QStringLiteral(R"({"model": {"d_model": 32, "n_layers": 2, "n_heads": 2,
        "max_len": 32, "dropout": 0.1}, "data": {"task": "repeat"}, "optimizer": {"lr": 0.003},
        "batch_size": 10, "steps": %1, "seed": 4, "log_every": 1, "eval_every": 5})")
                   .arg(steps)
                   .toUtf8());
    return path;
}

void compareLosses(const std::vector<nlohmann::json>& some,
                   const std::vector<nlohmann::json>& expected)
{
    QCOMPARE(some.size(), expected.size());
    for (std::size_t line = 0; line < some.size(); ++line) {
        for (const char* const key : {"loss", "val_loss"}) {
            QCOMPARE(some[line].at(key).is_null(), expected[line].at(key).is_null());
            if (some[line].at(key).is_null())
                continue;
            const double one = some[line].at(key);
            const double other = expected[line].at(key);
            QVERIFY2(std::abs(one - other) <= 1e-5 * std::abs(other),
                     qPrintable(QStringLiteral("%1 of line %2: %3 against %4")
                                    .arg(key)
                                    .arg(line)
                                    .arg(one, 0, 'g', 12)
                                    .arg(other, 0, 'g', 12)));
        }
    }
}

} // namespace

class TestSeveralProcesses : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase()
    {
#ifndef HEADSCOPE_MPI
        const Outcome refused = runHeadscope({"bench", "ring"}, {}, [](QProcess& process) {
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert("OMPI_COMM_WORLD_SIZE", "2");
            process.setProcessEnvironment(environment);
        });
        HS_REFUSED(refused, 1, "HEADSCOPE_MPI");
        QSKIP("this build has no MPI");
#endif
    }

    void theyTrainAsOneProcessDoes()
    {
        const QTemporaryDir folder;
        const QString path = config(folder, 20);
        const Outcome alone =
            runHeadscope({"train", path, "--out", folder.filePath("alone"), "--json"});
        HS_DONE(alone);
        const Outcome together =
            runTogether({"train", path, "--out", folder.filePath("together"), "--json"});
        HS_DONE(together);
        QCOMPARE(alone.jsonLines().size(), std::size_t{20});
        compareLosses(together.jsonLines(), alone.jsonLines());
        const auto first = alone.jsonLines().front().at("loss").get<double>();
        const auto last = alone.jsonLines().back().at("loss").get<double>();
        QVERIFY(last < first);
    }

    void aSharedRunIsResumedByOneProcessAndOneProcesssRunByAll()
    {
        const QTemporaryDir folder;
        const QString path = config(folder, 16);
        const Outcome whole =
            runHeadscope({"train", path, "--out", folder.filePath("whole"), "--json"});
        HS_DONE(whole);
        const QString shared = folder.filePath("shared");
        const Outcome first =
            runTogether({"train", path, "--out", shared, "--steps", "6", "--json"});
        HS_DONE(first);
        const Outcome second =
            runHeadscope({"train", path, "--out", shared, "--resume", "--steps", "11", "--json"});
        HS_DONE(second);
        const Outcome third = runTogether({"train", path, "--out", shared, "--resume", "--json"});
        HS_DONE(third);
        for (const auto& [outcome, begin, end] :
             {std::tuple(&first, 0, 6), std::tuple(&second, 6, 11), std::tuple(&third, 11, 16)}) {
            const auto lines = outcome->jsonLines();
            QCOMPARE(static_cast<int>(lines.size()), end - begin);
            for (int line = begin; line < end; ++line) {
                const double loss = lines[static_cast<std::size_t>(line - begin)].at("loss");
                const double expected =
                    whole.jsonLines()[static_cast<std::size_t>(line)].at("loss");
                QVERIFY(std::abs(loss - expected) <= 1e-5 * std::abs(expected));
            }
        }
    }

    void anErrorOfTheFirstEndsThemAll()
    {
        const QTemporaryDir folder;
        const Outcome outcome =
            runTogether({"train", folder.filePath("missing.json"), "--out", folder.filePath("x")});
        QCOMPARE(outcome.status, 1);
        QCOMPARE(outcome.err.count("headscope: error: "), 1);
        QVERIFY(outcome.err.contains("missing.json"));
    }

    void attentionInARingEqualsTheWhole()
    {
        const Outcome outcome = runTogether({"bench", "ring", "--tokens", "301", "--json"});
        HS_DONE(outcome);
        const nlohmann::json row = outcome.json().at("results").at(0);
        QCOMPARE(row.at("processes").get<int>(), kProcesses);
        QVERIFY(row.at("largest_error").get<double>() <= 1e-5);
        QVERIFY(row.at("block_bytes").get<int>() * 2 < row.at("whole_bytes").get<int>());
    }
};

HEADSCOPE_TEST(TestSeveralProcesses)
#include "tst_several_processes.moc"
