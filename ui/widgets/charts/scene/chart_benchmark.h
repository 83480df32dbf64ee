#pragma once

namespace headscope::ui {

/// Milliseconds, medians of a loss chart on 800 x 400 pixels whose data change before each picture.
struct ChartTimes
{
    double ours = 0.0;  ///< as the window does it: a ChartScene that is kept
    double naive = 0.0; ///< a QChartView with every point and a pen of 2 px
};

/// A noisy curve behind a smoothed one, a jump and the axis of perplexity. Needs a QApplication.
ChartTimes measureLossChart(int points, int rounds, int naiveRounds);

} // namespace headscope::ui
