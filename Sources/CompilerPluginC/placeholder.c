#include "CompilerPluginC.h"
