#pragma once

/// Number of tokens, as a reader expects: this comment passes,
/// of whatever its second line begins with.
inline int tokens = 0; ///< of the text
inline const char* message = "This cannot "
                             "be had.";
