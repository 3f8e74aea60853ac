#include <liblzf/lzf.h>
