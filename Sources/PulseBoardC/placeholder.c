#include "PulseBoardC.h"
