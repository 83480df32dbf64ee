#pragma once

#include "core/runs/head_curves.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headscope {

/// Where a curve goes from one level to another.
struct Jump
{
    std::string curve;           ///< "induction"
    std::optional<HeadId> place; ///< of a head's score
    std::int64_t step = 0;       ///< first measured step beyond half the height
    double before = 0.0;         ///< level before and after
    double after = 0.0;
    double contrast = 0.0; ///< |after - before| over the noise of the curve
};

struct JumpSettings
{
    double height = 0.3;      ///< least |after - before|
    double contrast = 8.0;    ///< least height over noise
    bool onlySettled = false; ///< only where the level after is known: for a run that goes on
};

/// Jumps of one curve, by step. The definition stands at the head of jumps.cpp. Values that are
/// not finite are left out.
std::vector<Jump> findJumps(std::span<const std::int64_t> steps, std::span<const double> values,
                            const JumpSettings& settings = {});

/// Jumps upward of all heads in all scores that name what a head looks at (not the entropy), by
/// step and then by height.
std::vector<Jump> findJumps(const HeadCurves& curves, const JumpSettings& settings = {});

std::string describe(const Jump& jump); ///< "induction of L1H3 jumps from 0.04 to 0.88 at step 650"

} // namespace headscope
