#pragma once

// Debian's Qt, glib and C library are built without the thread sanitizer, so it cannot see the locks
// inside them: an event that one thread allocates and another frees looks like a race, and so do
// the name of the time zone and what Qt's rasteriser hands to its own threads. Include this in
// threaded tests that use Qt. Our own code hands data over under the standard's mutexes, which the
// sanitizer does see.
#if defined(__SANITIZE_THREAD__)
extern "C" const char* __tsan_default_suppressions();

extern "C" __attribute__((used)) inline const char* __tsan_default_suppressions()
{
    return "called_from_lib:libQt6Core.so\n"
           "called_from_lib:libQt6Gui.so\n"
           "race:tzset_internal\n"
           "called_from_lib:libglib-2.0.so\n"
           "called_from_lib:libQt6Test.so\n"; // the watchdog of a test
}
#endif
