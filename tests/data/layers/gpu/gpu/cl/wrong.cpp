#include "ui/widgets/style/theme.h"
