/* A round trip over UDP with nothing around it: the ruler that steering is measured with.
 *
 *     udp_round_trip BYTES [PROCESSOR PROCESSOR]
 *
 * echoes in a second process of its own over 127.0.0.1, then serves runs (see pace.h). With processors each process keeps to its
 * own: this one to the first, the one that echoes to the second.
 */
#include <arpa/inet.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include "pace.h"

struct client {
    int socket;
    size_t size;
    uint8_t bytes[1500];
};

static int bound_socket(struct sockaddr_in *address) {
    int descriptor = socket(AF_INET, SOCK_DGRAM, 0);
    socklen_t length = sizeof *address;
    memset(address, 0, sizeof *address);
    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (descriptor < 0 || bind(descriptor, (struct sockaddr *)address, length) < 0
        || getsockname(descriptor, (struct sockaddr *)address, &length) < 0)
        fail("udp socket");
    return descriptor;
}

static void echo(int descriptor) {
    uint8_t bytes[1500];
    for (;;) {
        struct sockaddr_in from;
        socklen_t length = sizeof from;
        ssize_t count = recvfrom(descriptor, bytes, sizeof bytes, 0, (struct sockaddr *)&from, &length);
        if (count >= 0) sendto(descriptor, bytes, (size_t)count, 0, (struct sockaddr *)&from, length);
    }
}

static void round_trip(void *context) {
    struct client *client = context;
    uint64_t number;
    memcpy(&number, client->bytes, sizeof number);
    number++;
    memcpy(client->bytes, &number, sizeof number);
    if (send(client->socket, client->bytes, client->size, 0) != (ssize_t)client->size) fail("send");
    for (;;) {
        uint8_t answer[1500];
        uint64_t echoed;
        ssize_t count = recv(client->socket, answer, sizeof answer, 0);
        if (count < 0) fail("recv");
        memcpy(&echoed, answer, sizeof echoed);
        if (echoed == number) return;
    }
}

int main(int count, char **arguments) {
    struct client client = {0};
    struct sockaddr_in server_address, client_address;
    client.size = count > 1 ? (size_t)atoi(arguments[1]) : 64;
    if (client.size < 8 || client.size > sizeof client.bytes) client.size = 64;
    int server = bound_socket(&server_address);
    client.socket = bound_socket(&client_address);
    struct timeval patience = {.tv_sec = 2};
    setsockopt(client.socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(client.socket, (struct sockaddr *)&server_address, sizeof server_address) < 0) fail("connect");
    pid_t parent = getpid();
    pid_t child = fork();
    if (child < 0) fail("fork");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(0);
        if (count > 3) stay_on(arguments[3]);
        echo(server);
    }
    close(server);
    if (count > 3) stay_on(arguments[2]);
    int status = serve_runs(round_trip, &client);
    kill(child, SIGKILL);
    return status;
}
