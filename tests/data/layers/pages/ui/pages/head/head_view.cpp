#include "ui/pages/mask/mask_view.h"
