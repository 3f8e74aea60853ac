/* Counts heap allocations of any program, thread by thread: LD_PRELOAD it with UAVLINK_COUNT_FILE naming a file to keep
 * the counts in. The file is mapped, so that any process can read it while the program runs: 128 of `struct slot` below.
 *
 * Datagrams are counted, too: those that came by recvfrom() and those that left by send(). What is allocated between a
 * datagram's arrival and the thread's next look for another one belongs to that datagram.
 *
 * A slot belongs to a thread from its first allocation on. Freeing is not counted: what is freed was allocated.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { slots = 128 };

struct slot {
    int64_t thread_id;
    int64_t allocations;
    int64_t sent;
    int64_t received;
    int64_t allocations_for_received;
};

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static struct slot *table;
static atomic_int taken;
static __thread struct slot *own __attribute__((tls_model("initial-exec")));
static __thread int handling __attribute__((tls_model("initial-exec")));

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("UAVLINK_COUNT_FILE");
    if (!path) return;
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return;
    if (ftruncate(file, slots * sizeof(struct slot)) == 0) {
        void *memory = mmap(NULL, slots * sizeof(struct slot), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (memory != MAP_FAILED) table = memory;
    }
    close(file);
    /* Only this program is counted, not what it starts. */
    unsetenv("LD_PRELOAD");
    unsetenv("UAVLINK_COUNT_FILE");
}

static struct slot *slot(void) {
    if (!table) return NULL;
    if (!own) {
        int place = atomic_fetch_add(&taken, 1);
        own = &table[place < slots ? place : slots - 1];
        own->thread_id = syscall(SYS_gettid);
    }
    return own;
}

static void add(int64_t *counter) { __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED); }

static void count(void) {
    struct slot *mine = slot();
    if (!mine) return;
    add(&mine->allocations);
    if (handling) add(&mine->allocations_for_received);
}

ssize_t recvfrom(int descriptor, void *bytes, size_t size, int flags, struct sockaddr *from, socklen_t *length) {
    handling = 0;
    ssize_t got = syscall(SYS_recvfrom, descriptor, bytes, size, flags, from, length);
    struct slot *mine = got > 0 ? slot() : NULL;
    if (mine) {
        add(&mine->received);
        handling = 1;
    }
    return got;
}

ssize_t send(int descriptor, const void *bytes, size_t size, int flags) {
    ssize_t sent = syscall(SYS_sendto, descriptor, bytes, size, flags, NULL, 0);
    struct slot *mine = sent > 0 ? slot() : NULL;
    if (mine) add(&mine->sent);
    return sent;
}

void *malloc(size_t size) {
    count();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count();
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count();
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    count();
    void *memory = __libc_memalign(alignment, size);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}
