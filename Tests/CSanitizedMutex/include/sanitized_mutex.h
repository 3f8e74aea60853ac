#ifndef UAVLINK_SANITIZED_MUTEX_H
#define UAVLINK_SANITIZED_MUTEX_H

/// Nothing to call: see sanitized_mutex.c.

#endif
