/* A call of a ROS service with nothing but the call: the floor under a command over `ros`.
 *
 *     tcpros_call HOST PORT SERVICE MD5 NUMBER...
 *
 * keeps its connection, as our node and a persistent proxy of rospy do, waits in poll as they do, and sends the same request each time,
 * made once: its numbers, as float64. Of the answer it reads what mrs_msgs's commands answer, `bool success` and `string message`, and ends
 * when that is a refusal. No telemetry comes meanwhile. Then it serves runs (see pace.h).
 */
#include <poll.h>

#include "tcpros.h"

enum { most_numbers = 16, largest_answer = 65536 };

struct call {
    int descriptor;
    size_t length;
    uint8_t request[4 + 8 * most_numbers];
};

static void call_service(void *context) {
    static uint8_t answer[5 + largest_answer];
    struct call *call = context;
    if (send(call->descriptor, call->request, call->length, 0) != (ssize_t)call->length) fail("send");
    for (size_t filled = 0, needed = 5; filled < needed;) {
        struct pollfd entry = {.fd = call->descriptor, .events = POLLIN};
        if (poll(&entry, 1, 5000) < 1) fail("poll");
        ssize_t got = recv(call->descriptor, answer + filled, sizeof answer - filled, 0);
        if (got <= 0) fail("recv");
        filled += (size_t)got;
        if (filled < 5) continue;
        uint32_t size = little_endian_32(answer + 1);
        if (size > largest_answer) {
            fprintf(stderr, "an answer of %u bytes\n", size);
            exit(1);
        }
        needed = 5 + size;
    }
    if (answer[0] != 1 || answer[5] != 1) {
        fprintf(stderr, "the call has failed\n");
        exit(1);
    }
}

int main(int count, char **arguments) {
    if (count < 5 || count > 5 + most_numbers) {
        fprintf(stderr, "usage: tcpros_call HOST PORT SERVICE MD5 NUMBER...\n");
        return 2;
    }
    static struct call call;
    static struct tcpros_header header = {.length = 4};
    call.descriptor = connect_to(arguments[1], arguments[2]);
    put_field(&header, "callerid", "/uavlink_bench_caller");
    put_field(&header, "service", arguments[3]);
    put_field(&header, "md5sum", arguments[4]);
    put_field(&header, "persistent", "1");
    put_field(&header, "tcp_nodelay", "1");
    exchange_headers(call.descriptor, &header);
    call.length = 4 + 8 * (size_t)(count - 5);
    put_little_endian_32(call.request, (uint32_t)(call.length - 4));
    for (int index = 5; index < count; index++) {
        double number = atof(arguments[index]);
        memcpy(call.request + 4 + 8 * (index - 5), &number, sizeof number);
    }
    return serve_runs(call_service, &call);
}
