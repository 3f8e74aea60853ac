/* What libssh2 can do at its best: one warm session with TCP_NODELAY, a new exec channel for every command.
 *
 *     libssh2_exec PORT USER PRIVATE_KEY COMMAND [no-nodelay]      serves runs (see pace.h)
 */
#include <arpa/inet.h>
#include <libssh2.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pace.h"

struct client {
    LIBSSH2_SESSION *session;
    const char *command;
};

static void stop(struct client *client, const char *what) {
    char *text = NULL;
    libssh2_session_last_error(client->session, &text, NULL, 0);
    fprintf(stderr, "%s: %s\n", what, text ? text : "?");
    exit(1);
}

static void execute(void *context) {
    struct client *client = context;
    LIBSSH2_CHANNEL *channel = libssh2_channel_open_session(client->session);
    if (!channel) stop(client, "channel");
    if (libssh2_channel_exec(channel, client->command)) stop(client, "exec");
    char bytes[4096];
    ssize_t count;
    while ((count = libssh2_channel_read(channel, bytes, sizeof bytes)) > 0) {
    }
    if (count < 0 || libssh2_channel_close(channel) || libssh2_channel_wait_closed(channel)) stop(client, "read");
    if (libssh2_channel_get_exit_status(channel) != 0) stop(client, "exit status");
    libssh2_channel_free(channel);
}

int main(int count, char **arguments) {
    if (count < 5) {
        fprintf(stderr, "usage: libssh2_exec PORT USER PRIVATE_KEY COMMAND [no-nodelay]\n");
        return 2;
    }
    struct client client = {.command = arguments[4]};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(arguments[1]))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) fail("connect");
    int on = count > 5 ? 0 : 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    libssh2_init(0);
    client.session = libssh2_session_init();
    if (libssh2_session_handshake(client.session, descriptor)) stop(&client, "handshake");
    if (libssh2_userauth_publickey_fromfile(client.session, arguments[2], NULL, arguments[3], NULL))
        stop(&client, "log-in");
    execute(&client);
    return serve_runs(execute, &client);
}
