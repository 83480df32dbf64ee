#pragma once

#include <QByteArray>
#include <QFile>
#include <QProcess>
#include <QStringList>
#include <QTest>

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <vector>

namespace headscope::test {

/// How one run of the program ended and what it said.
struct Outcome
{
    int status = -1; ///< -1: it did not end by itself
    QByteArray out;
    QByteArray err;

    /// Nothing on standard output that is half a result, one line on standard error, of the shape
    /// "headscope: error: WHAT".
    bool isOneSentence() const
    {
        return err.startsWith("headscope: error: ") && err.endsWith('\n') && err.count('\n') == 1;
    }

    nlohmann::json json() const { return nlohmann::json::parse(out.toStdString()); }

    std::vector<nlohmann::json> jsonLines() const
    {
        std::vector<nlohmann::json> lines;
        for (const QByteArray& line : out.split('\n'))
            if (!line.isEmpty())
                lines.push_back(nlohmann::json::parse(line.toStdString()));
        return lines;
    }
};

inline QString executable()
{
    const QString other = qEnvironmentVariable("HEADSCOPE_EXECUTABLE");
    return other.isEmpty() ? QString(HEADSCOPE_EXECUTABLE) : other;
}

/// Starts `headscope ARGUMENTS` with `input` on standard input and waits for its end.
inline Outcome runHeadscope(const QStringList& arguments, const QByteArray& input = {},
                            const std::function<void(QProcess&)>& prepare = {})
{
    QProcess process;
    process.setProgram(executable());
    process.setArguments(arguments);
    if (prepare)
        prepare(process);
    process.start();
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(300'000))
        return {};
    const bool ended = process.exitStatus() == QProcess::NormalExit;
    return {ended ? process.exitCode() : -1, process.readAllStandardOutput(),
            process.readAllStandardError()};
}

} // namespace headscope::test

/// The program ended with `status` and one sentence that holds `said`.
#define HS_REFUSED(outcome, expectedStatus, reported)                                              \
    do {                                                                                           \
        const headscope::test::Outcome& outcome_ = (outcome);                                      \
        QVERIFY2(outcome_.isOneSentence(), outcome_.err.constData());                              \
        QVERIFY2(outcome_.err.contains(reported), outcome_.err.constData());                       \
        QCOMPARE(outcome_.status, expectedStatus);                                                 \
    } while (false)

/// The program ended well; what it said instead is shown.
#define HS_DONE(outcome) QVERIFY2((outcome).status == 0, (outcome).err.constData())
