#pragma once

#include "core/runs/head_curves.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headscope {

/// A change of a curve from one level to another.
struct Jump
{
    std::string curve;           ///< For example "induction".
    std::optional<HeadId> place; ///< Head of a head score.
    std::int64_t step = 0;       ///< First measured step beyond half the height.
    double before = 0.0;         ///< Levels before and after.
    double after = 0.0;
    double contrast = 0.0; ///< Height |after - before| divided by the noise of the curve.
};

struct JumpSettings
{
    double height = 0.3;   ///< Smallest |after - before|.
    double contrast = 8.0; ///< Smallest height divided by the noise.
    /// Only jumps whose level after is known: for a training run in progress.
    bool onlySettled = false;
};

/// Jumps of one curve, by step. The definition is at the top of jumps.cpp. Values that are not
/// finite are left out.
std::vector<Jump> findJumps(std::span<const std::int64_t> steps, std::span<const double> values,
                            const JumpSettings& settings = {});

/// Upward jumps of all heads in all scores that say what a head attends to (not the entropy), by
/// step and then by height.
std::vector<Jump> findJumps(const HeadCurves& curves, const JumpSettings& settings = {});

/// Step at which the best head of a score reaches a level.
struct LevelReached
{
    std::int64_t step = 0;
    HeadId place; ///< Head with the highest score at that step.
    double value = 0.0;

    friend bool operator==(const LevelReached&, const LevelReached&) = default;
};

/// The first measured step at which some head's score is at least `level`.
std::optional<LevelReached> findLevel(const HeadCurves& curves, const std::string& score,
                                      double level);

/// For example "induction of L1H3 jumps from 0.04 to 0.88 at step 650".
std::string describe(const Jump& jump);

} // namespace headscope
