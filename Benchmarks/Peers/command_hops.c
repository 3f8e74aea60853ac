/* The way of a command with nothing but the way: the floor under a command over UDP to a ROS service and back.
 *
 *     command_hops      ground (this process) --UDP--> companion (a process; one thread) --TCP--> service (a process)
 *                       ground <--UDP-- companion (another thread) <--TCP-- service; then serves runs (see pace.h)
 *
 * The same wake-ups as ours, four of them, with no cryptography, no messages and no bookkeeping.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include "pace.h"

/* About the sizes of a goto and of its answer. */
enum { COMMAND_BYTES = 110, REQUEST_BYTES = 36, ANSWER_BYTES = 60 };

static int datagrams, service;
static struct sockaddr_in ground_address;

static int bound_socket(int kind, struct sockaddr_in *address) {
    int descriptor = socket(AF_INET, kind, 0);
    socklen_t length = sizeof *address;
    memset(address, 0, sizeof *address);
    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (descriptor < 0 || bind(descriptor, (struct sockaddr *)address, length) < 0
        || getsockname(descriptor, (struct sockaddr *)address, &length) < 0)
        fail("socket");
    return descriptor;
}

static void no_delay(int descriptor) {
    int one = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
}

/* Both ends of ours wait in poll. */
static void wait_for(int descriptor) {
    struct pollfd entry = {.fd = descriptor, .events = POLLIN};
    if (poll(&entry, 1, 5000) < 1) fail("poll");
}

static void child_of(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
}

static void serve(int listener) {
    uint8_t bytes[256] = {0};
    int client = accept(listener, NULL, NULL);
    if (client < 0) fail("accept");
    no_delay(client);
    for (;;) {
        struct pollfd entry = {.fd = client, .events = POLLIN};
        poll(&entry, 1, -1);
        if (recv(client, bytes, sizeof bytes, 0) <= 0) _exit(0);
        if (send(client, bytes, ANSWER_BYTES, 0) < 0) _exit(0);
    }
}

static void *bring_back(void *unused) {
    uint8_t bytes[256];
    (void)unused;
    for (;;) {
        struct pollfd entry = {.fd = service, .events = POLLIN};
        poll(&entry, 1, -1);
        ssize_t count = recv(service, bytes, sizeof bytes, 0);
        if (count <= 0) _exit(0);
        sendto(datagrams, bytes, (size_t)count, 0, (struct sockaddr *)&ground_address, sizeof ground_address);
    }
    return NULL;
}

static void relay(const struct sockaddr_in *service_address) {
    uint8_t bytes[256];
    pthread_t thread;
    service = socket(AF_INET, SOCK_STREAM, 0);
    if (service < 0 || connect(service, (const struct sockaddr *)service_address, sizeof *service_address) < 0)
        fail("connect");
    no_delay(service);
    if (pthread_create(&thread, NULL, bring_back, NULL)) fail("thread");
    for (;;) {
        struct pollfd entry = {.fd = datagrams, .events = POLLIN};
        poll(&entry, 1, -1);
        if (recv(datagrams, bytes, sizeof bytes, 0) <= 0) continue;
        if (send(service, bytes, REQUEST_BYTES, 0) < 0) _exit(0);
    }
}

static void round_trip(void *context) {
    int ground = *(int *)context;
    uint8_t bytes[256] = {0};
    if (send(ground, bytes, COMMAND_BYTES, 0) != COMMAND_BYTES) fail("send");
    wait_for(ground);
    if (recv(ground, bytes, sizeof bytes, 0) != ANSWER_BYTES) fail("recv");
}

int main(void) {
    struct sockaddr_in service_address, companion_address;
    int listener = bound_socket(SOCK_STREAM, &service_address);
    if (listen(listener, 1) < 0) fail("listen");
    datagrams = bound_socket(SOCK_DGRAM, &companion_address);
    int ground = bound_socket(SOCK_DGRAM, &ground_address);
    if (connect(ground, (struct sockaddr *)&companion_address, sizeof companion_address) < 0) fail("connect");
    pid_t self = getpid(), children[2];
    for (int index = 0; index < 2; index++) {
        children[index] = fork();
        if (children[index] < 0) fail("fork");
        if (children[index]) continue;
        child_of(self);
        if (index == 0) serve(listener);
        relay(&service_address);
    }
    close(listener);
    int status = serve_runs(round_trip, &ground);
    for (int index = 0; index < 2; index++) kill(children[index], SIGKILL);
    return status;
}
