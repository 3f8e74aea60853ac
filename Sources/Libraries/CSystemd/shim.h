#ifdef __linux__
#include <systemd/sd-bus.h>
#endif
