/* Counts heap allocations of any program, thread by thread: LD_PRELOAD it with UAVLINK_COUNT_FILE naming a file to keep
 * the counts in. The file is mapped, so that anybody can read it while the program runs:
 *
 *     struct slot { int64 thread_id; char name[16]; int64 allocations; int64 bytes; }  [128]
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
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { slots = 128 };

struct slot {
    int64_t thread_id;
    char name[16];
    int64_t allocations;
    int64_t bytes;
};

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static struct slot *table;
static atomic_int taken;
static __thread struct slot *own __attribute__((tls_model("initial-exec")));

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

static void count(size_t bytes) {
    if (!table) return;
    if (!own) {
        int place = atomic_fetch_add(&taken, 1);
        if (place >= slots) place = slots - 1;
        own = &table[place];
        own->thread_id = syscall(SYS_gettid);
    }
    /* Names are given after a thread has begun; once in a while is often enough. */
    if ((own->allocations & 63) == 0) prctl(PR_GET_NAME, own->name);
    __atomic_add_fetch(&own->allocations, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&own->bytes, (int64_t)bytes, __ATOMIC_RELAXED);
}

void *malloc(size_t size) {
    count(size);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count(number * size);
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count(size);
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    count(size);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count(size);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    count(size);
    void *memory = __libc_memalign(alignment, size);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}
