/* A round trip over TCP with nothing around it: the ruler for the channel over TCP.
 *
 *     tcp_round_trip BYTES [PROCESSOR PROCESSOR]
 *
 * echoes in a second process of its own over 127.0.0.1, then serves runs (see pace.h). With processors each process keeps to its
 * own: this one to the first, the one that echoes to the second.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
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

static void no_delay(int descriptor) {
    int one = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
}

static void send_all(int descriptor, const uint8_t *bytes, size_t size) {
    while (size) {
        ssize_t count = send(descriptor, bytes, size, MSG_NOSIGNAL);
        if (count < 0) fail("send");
        bytes += count;
        size -= (size_t)count;
    }
}

static void echo(int listener) {
    uint8_t bytes[1500];
    int client = accept(listener, NULL, NULL);
    if (client < 0) fail("accept");
    no_delay(client);
    for (;;) {
        ssize_t count = recv(client, bytes, sizeof bytes, 0);
        if (count <= 0) _exit(0);
        send_all(client, bytes, (size_t)count);
    }
}

static void round_trip(void *context) {
    struct client *client = context;
    uint8_t answer[1500];
    size_t got = 0;
    client->bytes[0]++;
    send_all(client->socket, client->bytes, client->size);
    while (got < client->size) {
        ssize_t count = recv(client->socket, answer + got, sizeof answer - got, 0);
        if (count <= 0) fail("recv");
        got += (size_t)count;
    }
    if (answer[0] != client->bytes[0]) fail("another answer");
}

int main(int count, char **arguments) {
    struct client client = {0};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    client.size = count > 1 ? (size_t)atoi(arguments[1]) : 64;
    if (client.size < 1 || client.size > sizeof client.bytes) client.size = 64;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) < 0
        || getsockname(listener, (struct sockaddr *)&address, &length) < 0 || listen(listener, 1) < 0)
        fail("listen");
    pid_t parent = getpid();
    pid_t child = fork();
    if (child < 0) fail("fork");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(0);
        if (count > 3) stay_on(arguments[3]);
        echo(listener);
    }
    client.socket = socket(AF_INET, SOCK_STREAM, 0);
    if (client.socket < 0 || connect(client.socket, (struct sockaddr *)&address, length) < 0) fail("connect");
    no_delay(client.socket);
    close(listener);
    if (count > 3) stay_on(arguments[2]);
    int status = serve_runs(round_trip, &client);
    kill(child, SIGKILL);
    return status;
}
