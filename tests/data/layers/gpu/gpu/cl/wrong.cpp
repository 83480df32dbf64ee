#include "ui/widgets/theme.h"
