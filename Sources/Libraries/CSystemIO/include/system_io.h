#pragma once

/* A new event descriptor (Linux), non-blocking and closed on exec; -1 with `errno` if there is none.

   In C because Swift's module of the C library lacks <sys/eventfd.h>. */
int system_io_event_descriptor(void);
