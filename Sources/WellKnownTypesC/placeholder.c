#include "WellKnownTypesC.h"
