#pragma once

// Read once for a program of tests.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#ifdef HEADSCOPE_TEST_WIDGETS
#include "ui/precompiled.h"
#endif
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>
