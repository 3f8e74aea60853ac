// What Swift's module of the C library lacks.
#ifdef __linux__
#include <sys/timex.h>
#endif
