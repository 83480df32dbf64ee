#include "ui/views/mask_view.h"
