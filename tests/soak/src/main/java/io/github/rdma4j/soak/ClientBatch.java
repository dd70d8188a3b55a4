// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import io.github.rdma4j.soak.host.Ports;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** C clients that start during a fault. Each client is served or refused. */
final class ClientBatch {
    private static final int COUNT = 4;

    private final List<TimedCall<Node.Result>> clients = new ArrayList<>();

    private ClientBatch() {}

    static ClientBatch start(Stage stage, Server server) {
        ClientBatch batch = new ClientBatch();
        for (int i = 0; i < COUNT; i++) {
            batch.clients.add(TimedCall.start(
                    "a client of " + server, () -> stage.client().run(Limits.CLIENT, command(stage, server))));
        }
        return batch;
    }

    private static String[] command(Stage stage, Server server) {
        String address = stage.server().address();
        String port = Integer.toString(server.port());
        return switch (server) {
            case PING ->
                new String[] {"timeout", "120", "rping", "-c", "-V", "-C", "3", "-S", "4096", "-a", address, "-p", port
                };
            case CMATOSE -> new String[] {"timeout", "120", "ucmatose", "-s", address, "-p", port};
            case STREAM_ECHO, NIO_ECHO, NETTY_ECHO -> {
                List<String> line = new ArrayList<>(List.of("timeout", "120"));
                line.addAll(Ports.RSTREAM);
                line.addAll(List.of("-p", port, "-s", address));
                yield line.toArray(new String[0]);
            }
            case LOOP_ECHO, BLOCKING_ECHO, POOLED_ECHO, SELECTED_ECHO ->
                new String[] {BadPeer.PROGRAM, "disconnect", address, port, "3", "0"};
        };
    }

    String awaitEnd() throws SoakFailureException, InterruptedException {
        int served = 0;
        for (TimedCall<Node.Result> client : clients) {
            try {
                served += client.await(Limits.CLIENT.multipliedBy(2)).isSuccess() ? 1 : 0;
            } catch (ExecutionException e) {
                if (e.getCause() instanceof SoakFailureException failure) {
                    throw failure;
                }
                throw new SoakFailureException("a client failed", e.getCause());
            }
        }
        return served + " of " + COUNT + " clients had no trouble";
    }
}
