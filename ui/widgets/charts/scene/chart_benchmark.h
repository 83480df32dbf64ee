#pragma once

namespace headscope::ui {

/// Median times in ms of a loss chart at 800 x 400 pixels whose data change before each frame.
struct ChartTimes
{
    double ours = 0.0;  ///< Time with a cached ChartScene, as in the window.
    double naive = 0.0; ///< Time with a QChartView that has every point and a 2 px pen.
};

/// Measures a noisy curve behind a smoothed one, with a jump and a perplexity axis. Needs a
/// QApplication.
ChartTimes measureLossChart(int points, int rounds, int naiveRounds);

} // namespace headscope::ui
