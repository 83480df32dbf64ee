#include "ui/pages/mask/mask_page.h"
