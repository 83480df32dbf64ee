#pragma once

#include "core/ops/kernels.h"
#include "tests/support/test_program.h"

#include <QCoreApplication>
#include <QProcess>

namespace headscope::test {

/// Starts this test program again for every narrower instruction set of this machine: "" when all
/// of them pass, else what the first that does not printed. Nothing inside such a run.
inline QString narrowerIsaProblem()
{
    if (qEnvironmentVariableIsSet("HEADSCOPE_ISA"))
        return {};
    for (const char* level : {"baseline", "avx2"}) {
        if (!kernelsFor(level) || kernelsFor(level) == &kernels())
            continue;
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("HEADSCOPE_ISA", level);
        process.setProcessEnvironment(environment);
        process.start(QCoreApplication::applicationFilePath(), {testName()});
        if (!process.waitForFinished(300000) || process.exitStatus() != QProcess::NormalExit ||
            process.exitCode() != 0)
            return QString("%1: %2").arg(level, QString::fromUtf8(process.readAll()));
    }
    return {};
}

} // namespace headscope::test
