#pragma once

#include <QTest>

// Under a sanitizer, or beside other work, training takes many times as long: conditions are waited
// for up to a minute instead of Qt's five seconds.
#undef QTRY_VERIFY
#define QTRY_VERIFY(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, 60'000)
#undef QTRY_COMPARE
#define QTRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT(actual, expected, 60'000)
