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
#include <arpa/inet.h>
#include <math.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pace.h"

enum { most_records = 4 * 1000 * 1000, largest_message = 65536 };

static uint32_t little_endian_32(const uint8_t *bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void put_field(uint8_t *header, size_t *length, const char *name, const char *value) {
    uint32_t size = (uint32_t)(strlen(name) + 1 + strlen(value));
    for (int byte = 0; byte < 4; byte++) header[(*length)++] = (uint8_t)(size >> (8 * byte));
    *length += (size_t)sprintf((char *)header + *length, "%s=%s", name, value);
}

static void read_all(int descriptor, uint8_t *bytes, size_t count) {
    for (size_t done = 0; done < count;) {
        ssize_t got = recv(descriptor, bytes + done, count - done, 0);
        if (got <= 0) fail("header");
        done += (size_t)got;
    }
}

static void greet(int descriptor, char **arguments) {
    uint8_t header[2048];
    size_t length = 4;
    put_field(header, &length, "callerid", "/uavlink_bench_subscriber");
    put_field(header, &length, "topic", arguments[3]);
    put_field(header, &length, "type", arguments[4]);
    put_field(header, &length, "md5sum", arguments[5]);
    put_field(header, &length, "tcp_nodelay", "1");
    for (int byte = 0; byte < 4; byte++) header[byte] = (uint8_t)((length - 4) >> (8 * byte));
    if (send(descriptor, header, length, 0) != (ssize_t)length) fail("send");
    uint8_t answer[16384];
    read_all(descriptor, answer, 4);
    uint32_t size = little_endian_32(answer);
    if (size > sizeof answer) fail("header");
    read_all(descriptor, answer, size);
    if (size > 10 && memcmp(answer + 4, "error=", 6) == 0) {
        fprintf(stderr, "refused: %.*s\n", (int)size, (char *)answer + 4);
        exit(1);
    }
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
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(arguments[2]))};
    if (inet_pton(AF_INET, arguments[1], &address.sin_addr) != 1) fail("address");
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) fail("connect");
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
