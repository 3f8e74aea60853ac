/* A ROS subscriber that does nothing but note when bytes reach its socket.
 *
 *     tcpros_subscriber HOST PORT TOPIC TYPE MD5 ID_OFFSET
 *
 * connects to a publisher and says "ready". Of every message it notes CLOCK_MONOTONIC as read right after the recv() that
 * brought the message's last byte, and the double at ID_OFFSET behind the header's frame_id, which is the number of the
 * setpoint in millionths. Each line of its standard input names a file: what was noted since the last one is written to
 * it, pairs of int64, nanoseconds and number, in the order of arrival, and it says "wrote COUNT". Nothing may arrive
 * meanwhile. It ends with its standard input.
 */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "tcpros.h"

enum { most_records = 4 * 1000 * 1000, largest_message = 65536 };

static void greet(int descriptor, char **arguments) {
    struct tcpros_header header = {.length = 4};
    put_field(&header, "callerid", "/uavlink_bench_subscriber");
    put_field(&header, "topic", arguments[3]);
    put_field(&header, "type", arguments[4]);
    put_field(&header, "md5sum", arguments[5]);
    put_field(&header, "tcp_nodelay", "1");
    exchange_headers(descriptor, &header);
}

static int64_t *records;
static atomic_size_t recorded;

/* The main thread does nothing but receive; this one writes and ends. */
static void *serve_input(void *unused) {
    char name[4096];
    while (fgets(name, sizeof name, stdin)) {
        name[strcspn(name, "\n")] = 0;
        size_t count = atomic_exchange(&recorded, 0);
        FILE *file = fopen(name, "wb");
        if (!file || fwrite(records, 16, count, file) != count || fclose(file) != 0) fail(name);
        printf("wrote %zu\n", count);
        fflush(stdout);
    }
    (void)unused;
    exit(0);
}

int main(int count, char **arguments) {
    if (count != 7) {
        fprintf(stderr, "usage: tcpros_subscriber HOST PORT TOPIC TYPE MD5 ID_OFFSET\n");
        return 2;
    }
    size_t id_offset = (size_t)atoi(arguments[6]);
    int descriptor = connect_to(arguments[1], arguments[2]);
    greet(descriptor, arguments);

    records = malloc(sizeof(int64_t) * 2 * most_records);
    static uint8_t buffer[2 * largest_message];
    size_t filled = 0;
    if (!records) fail("malloc");
    memset(records, 0, sizeof(int64_t) * 2 * 200000); /* so that no page is fetched while it counts */
    printf("ready\n");
    fflush(stdout);

    pthread_t input;
    if (pthread_create(&input, NULL, serve_input, NULL)) fail("thread");
    for (;;) {
        ssize_t got = recv(descriptor, buffer + filled, sizeof buffer - filled, 0);
        int64_t now = monotonic_ns();
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        filled += (size_t)got;
        size_t start = 0;
        while (filled - start >= 4) {
            uint32_t size = little_endian_32(buffer + start);
            if (size > largest_message) {
                fprintf(stderr, "a message of %u bytes\n", size);
                return 1;
            }
            if (filled - start < 4 + size) break;
            const uint8_t *message = buffer + start + 4;
            /* std_msgs/Header: seq, stamp (8 bytes), frame_id. */
            if (size >= 16) {
                size_t at = 16 + little_endian_32(message + 12) + id_offset;
                size_t next = atomic_load(&recorded);
                if (at + 8 <= size && next < most_records) {
                    double value;
                    memcpy(&value, message + at, sizeof value);
                    records[2 * next] = now;
                    records[2 * next + 1] = llround(value * 1e6);
                    atomic_store(&recorded, next + 1);
                }
            }
            start += 4 + size;
        }
        memmove(buffer, buffer + start, filled - start);
        filled -= start;
    }
    fprintf(stderr, "the publisher has closed the connection\n");
    return 1;
}
