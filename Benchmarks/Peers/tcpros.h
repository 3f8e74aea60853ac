/* What the peers that speak TCPROS share: a connection without delay, and the headers with which one begins. */
#ifndef UAVLINK_BENCH_TCPROS_H
#define UAVLINK_BENCH_TCPROS_H

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "pace.h"

/* Its first four bytes are for its length. */
struct tcpros_header {
    size_t length;
    uint8_t bytes[2048];
};

static inline uint32_t little_endian_32(const uint8_t *bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline void put_little_endian_32(uint8_t *bytes, uint32_t value) {
    for (int byte = 0; byte < 4; byte++) bytes[byte] = (uint8_t)(value >> (8 * byte));
}

static inline void put_field(struct tcpros_header *header, const char *name, const char *value) {
    size_t size = strlen(name) + 1 + strlen(value);
    /* With the field's own length, and the end that snprintf writes. */
    if (header->length + 4 + size + 1 > sizeof header->bytes) {
        fprintf(stderr, "the value of %s is too long\n", name);
        exit(2);
    }
    put_little_endian_32(header->bytes + header->length, (uint32_t)size);
    header->length += 4;
    header->length += (size_t)snprintf(
        (char *)header->bytes + header->length, sizeof header->bytes - header->length, "%s=%s", name, value);
}

static inline void read_all(int descriptor, uint8_t *bytes, size_t count) {
    for (size_t done = 0; done < count;) {
        ssize_t got = recv(descriptor, bytes + done, count - done, 0);
        if (got <= 0) fail("recv");
        done += (size_t)got;
    }
}

static inline int connect_to(const char *host, const char *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    if (inet_pton(AF_INET, host, &address.sin_addr) != 1) fail("address");
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) fail("connect");
    return descriptor;
}

/* Sends ours, and reads the answer; ends the program where that is a refusal. */
static inline void exchange_headers(int descriptor, struct tcpros_header *header) {
    put_little_endian_32(header->bytes, (uint32_t)(header->length - 4));
    if (send(descriptor, header->bytes, header->length, 0) != (ssize_t)header->length) fail("send");
    uint8_t answer[16384];
    read_all(descriptor, answer, 4);
    uint32_t size = little_endian_32(answer);
    if (size > sizeof answer) {
        fprintf(stderr, "a header of %u bytes\n", size);
        exit(1);
    }
    read_all(descriptor, answer, size);
    if (size > 10 && memcmp(answer + 4, "error=", 6) == 0) {
        fprintf(stderr, "refused: %.*s\n", (int)(size - 4), (char *)answer + 4);
        exit(1);
    }
}

#endif
