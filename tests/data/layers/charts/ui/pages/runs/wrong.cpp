#include <QLineSeries>
