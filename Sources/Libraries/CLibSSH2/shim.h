#include <libssh2.h>
#include <stdlib.h>
#include <sys/types.h>

/* libssh2 takes its callbacks as void *, which Swift cannot make from a function: these give them their types. */

typedef ssize_t (*uavlink_ssh_send)(libssh2_socket_t socket, const void *bytes, size_t length, int flags, void **owner);
typedef ssize_t (*uavlink_ssh_receive)(libssh2_socket_t socket, void *bytes, size_t length, int flags, void **owner);
typedef void (*uavlink_ssh_disconnect)(LIBSSH2_SESSION *session, int reason, const char *message, int message_length,
                                       const char *language, int language_length, void **owner);

static inline void uavlink_ssh_set_callbacks(LIBSSH2_SESSION *session, uavlink_ssh_send send,
                                             uavlink_ssh_receive receive, uavlink_ssh_disconnect disconnect)
{
    libssh2_session_callback_set(session, LIBSSH2_CALLBACK_SEND, (void *)send);
    libssh2_session_callback_set(session, LIBSSH2_CALLBACK_RECV, (void *)receive);
    libssh2_session_callback_set(session, LIBSSH2_CALLBACK_DISCONNECT, (void *)disconnect);
}
