#pragma once

#include "core/experiments/experiment_runner.h"
#include "tests/core/experiments/trained.h"

#include <QTemporaryDir>
#include <QTest>

namespace headscope::test {

/// An experiment of the catalogue with its variants made smaller, all by the same keys.
inline Experiment smaller(const char* name, const char* patch)
{
    Experiment experiment = catalogueExperiment(name);
    for (ExperimentVariant& variant : experiment.variants)
        variant.config = changed(variant.config, patch);
    return experiment;
}

inline ExperimentSettings onCpu()
{
    ExperimentSettings settings;
    settings.makeBackend = [] { return std::make_unique<CpuAttention>(); };
    return settings;
}

inline ExperimentResult runSmall(const Experiment& experiment)
{
    const QTemporaryDir folder;
    ExperimentResult result =
        runExperiment(experiment, folder.filePath("run").toStdString(), onCpu());
    qInfo("%s", result.conclusion.c_str());
    return result;
}

} // namespace headscope::test
