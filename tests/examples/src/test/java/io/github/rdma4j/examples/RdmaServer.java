// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.cm.AddressInfo;
import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SendWorkRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/** {@code rdma_server.c} of rdma-core, line by line: receives 16 bytes of one client and answers with 16 bytes. */
final class RdmaServer {
    private static final int LENGTH = 16;
    private static final Duration limit = Duration.ofSeconds(30);

    private RdmaServer() {}

    public static void main(String[] args) throws Exception {
        run(args.length == 0 ? "7471" : args[0], () -> System.out.println("rdma_server: start"));
        System.out.println("rdma_server: end 0");
    }

    /** Serves one client; tells {@code listening} when it may come. */
    static void run(String port, Runnable listening) throws IOException, InterruptedException {
        AddressInfo.Hints hints = AddressInfo.Hints.builder().passive(true).build(); // RAI_PASSIVE, RDMA_PS_TCP
        AddressInfo here = AddressInfo.resolveService(port, hints).get(0); // rdma_getaddrinfo(NULL, port, &hints, &res)
        QueuePairOptions options = QueuePairOptions.builder()
                .maxSendWr(1)
                .maxReceiveWr(1)
                .maxInline(LENGTH)
                .signalAll(true) // sq_sig_all
                .build();
        try (BlockingCmId listener = here.createEndpoint(options, limit)) { // rdma_create_ep
            listener.listen(8); // rdma_listen(listen_id, 0): C's 0 is the kernel's maximum
            listening.run();
            try (BlockingCmId id = listener.getRequest()) { // rdma_get_request
                serve(id);
            }
        }
    }

    private static void serve(BlockingCmId id) throws IOException, InterruptedException {
        CmQueues queues = id.queues();
        ByteBuffer answer = ByteBuffer.allocateDirect(LENGTH);
        boolean inline = id.queues().qp().capacities().maxInline() >= LENGTH; // init_attr.cap
        try (MemoryRegion received = queues.registerMessages(ByteBuffer.allocateDirect(LENGTH)); // rdma_reg_msgs
                MemoryRegion sent = queues.registerMessages(answer)) {
            queues.postReceive(1, received, 0, LENGTH); // rdma_post_recv
            id.accept(ConnectionParameters.DEFAULT); // rdma_accept(id, NULL)
            queues.awaitReceive(limit); // rdma_get_recv_comp, and its wc.status

            SendWorkRequest request = new SendWorkRequest(1).send();
            queues.post(inline ? request.inline(answer) : request.add(sent, 0, LENGTH)); // IBV_SEND_INLINE
            queues.awaitSend(limit); // rdma_get_send_comp
            id.disconnect(); // rdma_disconnect
        }
    }
}
