/* Passes datagrams on, and notes when those with a given text were sent.
 *
 *     datagram_tap PORT TEXT
 *
 * takes datagrams on a free port of the loopback and passes them on to PORT there. It says "ready" and its own port. Of each
 * datagram that contains TEXT it notes the kernel's stamp (SO_TIMESTAMPNS, wall clock, nanoseconds): on the loopback a datagram is
 * stamped while its sender sends it, however late this process reads it. Each line of its standard input names a file: what was
 * noted since the last one is written to it, int64, in the order of arrival, and it says "wrote COUNT". It ends with its standard
 * input.
 */
#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pace.h"

enum { most_records = 1000 * 1000 };

static int64_t records[most_records];
static size_t recorded;

static int bound_socket(struct sockaddr_in *address) {
    int descriptor = socket(AF_INET, SOCK_DGRAM, 0), on = 1;
    socklen_t length = sizeof *address;
    memset(address, 0, sizeof *address);
    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (descriptor < 0 || bind(descriptor, (struct sockaddr *)address, length) < 0
        || getsockname(descriptor, (struct sockaddr *)address, &length) < 0
        || setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) < 0)
        fail("socket");
    return descriptor;
}

/* Nothing to be read is no failure. */
static void pass_on(int descriptor, const struct sockaddr_in *target, const char *text) {
    char bytes[4096];
    _Alignas(struct cmsghdr) char control[256];
    struct iovec part = {.iov_base = bytes, .iov_len = sizeof bytes};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t count = recvmsg(descriptor, &message, MSG_DONTWAIT);
    if (count < 0) return;
    sendto(descriptor, bytes, (size_t)count, 0, (const struct sockaddr *)target, sizeof *target);
    if (!memmem(bytes, (size_t)count, text, strlen(text))) return;
    for (struct cmsghdr *entry = CMSG_FIRSTHDR(&message); entry; entry = CMSG_NXTHDR(&message, entry)) {
        if (entry->cmsg_level != SOL_SOCKET || entry->cmsg_type != SCM_TIMESTAMPNS) continue;
        struct timespec at;
        memcpy(&at, CMSG_DATA(entry), sizeof at);
        if (recorded < most_records) records[recorded++] = (int64_t)at.tv_sec * 1000000000 + at.tv_nsec;
    }
}

static void write_records(const char *name) {
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(records, sizeof records[0], recorded, file) != recorded || fclose(file) != 0) fail(name);
    printf("wrote %zu\n", recorded);
    fflush(stdout);
    recorded = 0;
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: datagram_tap PORT TEXT\n");
        return 2;
    }
    struct sockaddr_in own, target = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(arguments[1]))};
    target.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int descriptor = bound_socket(&own);
    printf("ready %d\n", ntohs(own.sin_port));
    fflush(stdout);
    char line[4096];
    size_t filled = 0;
    for (;;) {
        struct pollfd entries[2] = {{.fd = descriptor, .events = POLLIN}, {.fd = 0, .events = POLLIN}};
        if (poll(entries, 2, -1) < 0 && errno != EINTR) fail("poll");
        if (entries[0].revents) pass_on(descriptor, &target, arguments[2]);
        if (!entries[1].revents) continue;
        ssize_t got = read(0, line + filled, sizeof line - filled);
        if (got <= 0) return 0;
        filled += (size_t)got;
        char *end = memchr(line, '\n', filled);
        if (!end) {
            if (filled == sizeof line) return 2;
            continue;
        }
        *end = 0;
        write_records(line);
        filled -= (size_t)(end + 1 - line);
        memmove(line, end + 1, filled);
    }
}
