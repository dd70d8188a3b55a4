// SPDX-License-Identifier: Apache-2.0
//
// badpeer MODE ADDRESS PORT COUNT VALUE: a peer that does what no peer should, COUNT times, and says how often it got how
// far. It is C on librdmacm, so that no defect of the library under test can hide another one. Exit status 0 whatever the
// server answered; 1 when the peer itself could not do what it was told.
#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>

enum { BUFFER = 1 << 16, TIMEOUT_MS = 5000, WAIT_MS = 60000, MOST_IDS = 256 };

static struct rdma_event_channel *channel;
static struct sockaddr_storage server;
static int established, refused;

static void die(const char *what)
{
	fprintf(stderr, "badpeer: %s: %s\n", what, strerror(errno));
	exit(1);
}

// The type of the next event; -1 when there is none for a minute.
static int next_event(void)
{
	struct pollfd readable = { .fd = channel->fd, .events = POLLIN };
	struct rdma_cm_event *event;
	int type;

	if (poll(&readable, 1, WAIT_MS) <= 0)
		return -1;
	if (rdma_get_cm_event(channel, &event))
		die("rdma_get_cm_event");
	type = event->event;
	rdma_ack_cm_event(event);
	return type;
}

// An id with a route to the server; NULL when there is none, as when the device is gone.
static struct rdma_cm_id *routed(void)
{
	struct rdma_cm_id *id;

	if (rdma_create_id(channel, &id, NULL, RDMA_PS_TCP))
		die("rdma_create_id");
	if (!rdma_resolve_addr(id, NULL, (struct sockaddr *) &server, TIMEOUT_MS)
	    && next_event() == RDMA_CM_EVENT_ADDR_RESOLVED && !rdma_resolve_route(id, TIMEOUT_MS)
	    && next_event() == RDMA_CM_EVENT_ROUTE_RESOLVED)
		return id;
	rdma_destroy_id(id);
	return NULL;
}

static int make_qp(struct rdma_cm_id *id)
{
	struct ibv_qp_init_attr attributes = {
		.qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = 32, .max_recv_wr = 32, .max_send_sge = 1, .max_recv_sge = 1 },
		.sq_sig_all = 1,
	};

	return rdma_create_qp(id, NULL, &attributes);
}

static void discard(struct rdma_cm_id *id)
{
	if (id->qp)
		rdma_destroy_qp(id);
	rdma_destroy_id(id);
}

static int request(struct rdma_cm_id *id, const void *data, int length)
{
	struct rdma_conn_param parameters = {
		.responder_resources = 1, .initiator_depth = 1, .retry_count = 7, .rnr_retry_count = 7,
		.private_data = data, .private_data_len = length,
	};

	return rdma_connect(id, &parameters);
}

// A connection to the server; NULL when it did not want one.
static struct rdma_cm_id *connected(const void *data, int length)
{
	struct rdma_cm_id *id = routed();

	if (id && !make_qp(id) && !request(id, data, length) && next_event() == RDMA_CM_EVENT_ESTABLISHED) {
		established++;
		return id;
	}
	refused++;
	if (id)
		discard(id);
	return NULL;
}

static void end(struct rdma_cm_id *id)
{
	rdma_disconnect(id);
	next_event();
	discard(id);
}

// Waits until a posted request has completed, in whatever way.
static void await_completion(struct rdma_cm_id *id)
{
	struct ibv_wc wc;
	int polls = 0;

	while (!ibv_poll_cq(id->send_cq, 1, &wc) && polls++ < 2000)
		usleep(1000);
}

static struct ibv_mr *registered(struct rdma_cm_id *id, void *buffer, size_t length)
{
	struct ibv_mr *mr = rdma_reg_msgs(id, buffer, length);

	if (!mr)
		die("rdma_reg_msgs");
	return mr;
}

static void message(int length)
{
	static char buffer[BUFFER];
	struct rdma_cm_id *id = connected(NULL, 0);
	struct ibv_mr *mr;

	if (!id)
		return;
	memset(buffer, 0x5a, sizeof buffer);
	mr = registered(id, buffer, sizeof buffer);
	if (!rdma_post_send(id, NULL, buffer, length, mr, 0))
		await_completion(id);
	rdma_dereg_mr(mr);
	end(id);
}

// Writes to, or reads from, memory of the server that it has never offered.
static void touch(int is_read, uint32_t rkey)
{
	static char buffer[64];
	struct rdma_cm_id *id = connected(NULL, 0);
	struct ibv_mr *mr;
	int failed;

	if (!id)
		return;
	mr = registered(id, buffer, sizeof buffer);
	failed = is_read ? rdma_post_read(id, NULL, buffer, sizeof buffer, mr, 0, 0x1000, rkey)
			 : rdma_post_write(id, NULL, buffer, sizeof buffer, mr, 0, 0x1000, rkey);
	if (!failed)
		await_completion(id);
	rdma_dereg_mr(mr);
	end(id);
}

// rping's offer of a buffer: address, key and size, big-endian. The key is nobody's.
static void offer(uint32_t size)
{
	static struct {
		uint64_t address;
		uint32_t rkey, size;
	} words;
	struct rdma_cm_id *id = connected(NULL, 0);
	struct ibv_mr *mr;

	if (!id)
		return;
	words.address = htobe64(0x1000);
	words.rkey = htobe32(0xdeadbeef);
	words.size = htobe32(size);
	mr = registered(id, &words, sizeof words);
	if (!rdma_post_send(id, NULL, &words, sizeof words, mr, 0))
		await_completion(id);
	rdma_dereg_mr(mr);
	// The server ends the connection, because its read fails or because it refuses the size.
	next_event();
	discard(id);
}

// Asks for a connection and, when the server agrees, never says that it is established.
static void never_establish(int pause_ms)
{
	struct ibv_qp_init_attr attributes = {
		.qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1 },
	};
	struct rdma_conn_param parameters = { .retry_count = 7 };
	struct rdma_cm_id *id = routed();
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_qp *qp;

	if (!id) {
		refused++;
		return;
	}
	pd = ibv_alloc_pd(id->verbs);
	cq = ibv_create_cq(id->verbs, 4, NULL, NULL, 0);
	if (!pd || !cq)
		die("ibv_create_cq");
	attributes.send_cq = attributes.recv_cq = cq;
	qp = ibv_create_qp(pd, &attributes);
	if (!qp)
		die("ibv_create_qp");
	parameters.qp_num = qp->qp_num;
	if (!rdma_connect(id, &parameters) && next_event() == RDMA_CM_EVENT_CONNECT_RESPONSE)
		established++;
	else
		refused++;
	usleep(pause_ms * 1000);
	rdma_destroy_id(id);
	ibv_destroy_qp(qp);
	ibv_destroy_cq(cq);
	ibv_dealloc_pd(pd);
}

// All at once; then the answers are taken, and the process ends with all connections as they are.
static void flood(int count)
{
	struct rdma_cm_id *ids[MOST_IDS];
	int asked = 0;

	for (int i = 0; i < count; i++) {
		ids[i] = routed();
		if (ids[i] && make_qp(ids[i]))
			die("rdma_create_qp");
	}
	for (int i = 0; i < count; i++)
		asked += ids[i] && !request(ids[i], NULL, 0);
	for (int answered = 0; answered < asked; answered++) {
		int type = next_event();

		if (type < 0)
			break;
		if (type == RDMA_CM_EVENT_ESTABLISHED)
			established++;
		else
			refused++;
	}
}

// Asks for a connection and goes before the answer is there.
static void quit(int pause_ms)
{
	struct rdma_cm_id *id = routed();

	if (!id) {
		refused++;
		return;
	}
	if (!make_qp(id))
		request(id, NULL, 0);
	usleep(pause_ms * 1000);
	discard(id);
}

static void end_at_once(const void *data, int length)
{
	struct rdma_cm_id *id = connected(data, length);

	if (id)
		end(id);
}

static int misbehave(const char *mode, int value)
{
	static const char data[256];

	if (!strcmp(mode, "exit"))
		connected(NULL, 0); // left as it is; ends with the process
	else if (!strcmp(mode, "quit"))
		quit(value);
	else if (!strcmp(mode, "disconnect"))
		end_at_once(NULL, 0);
	else if (!strcmp(mode, "private"))
		end_at_once(data, value);
	else if (!strcmp(mode, "message"))
		message(value);
	else if (!strcmp(mode, "read"))
		touch(1, value);
	else if (!strcmp(mode, "write"))
		touch(0, value);
	else if (!strcmp(mode, "offer"))
		offer(value);
	else if (!strcmp(mode, "noestablish"))
		never_establish(value);
	else
		return 0;
	return 1;
}

int main(int argc, char **argv)
{
	struct rdma_addrinfo *found, hints = { .ai_port_space = RDMA_PS_TCP };
	int count;

	if (argc != 6)
		return 1;
	count = atoi(argv[4]);
	if (rdma_getaddrinfo(argv[2], argv[3], &hints, &found))
		die("rdma_getaddrinfo");
	memcpy(&server, found->ai_dst_addr, found->ai_dst_len);
	channel = rdma_create_event_channel();
	if (!channel)
		die("rdma_create_event_channel");
	if (!strcmp(argv[1], "flood")) {
		flood(count < MOST_IDS ? count : MOST_IDS);
	} else {
		for (int i = 0; i < count; i++)
			if (!misbehave(argv[1], atoi(argv[5])))
				return 1;
	}
	printf("%d established, %d not\n", established, refused);
	fflush(stdout);
	_exit(0);
}
