// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak;

import io.github.rdma4j.lab.soak.Fault.Injection;
import io.github.rdma4j.lab.soak.host.Leave;
import io.github.rdma4j.lab.soak.host.NettyClient;
import io.github.rdma4j.lab.soak.host.NioClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;

/** Clients of the servers with channels that leave in every way, all at the same time. */
final class LeavingClients {
    private static final Leave[] WAYS = Leave.values();

    private LeavingClients() {}

    static Fault fault() {
        return new Fault("leave", "clients of NIO and of Netty come together, and leave in every way", random -> {
            int clients = 4 + random.nextInt(8);
            long seed = random.nextLong();
            return new Injection(clients + " clients", stage -> leave(stage, clients, new Random(seed)));
        });
    }

    private static String leave(Stage stage, int clients, Random random)
            throws SoakFailureException, InterruptedException {
        List<TimedCall<?>> leaving = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            leaving.add(client(stage, WAYS[random.nextInt(WAYS.length)], random.nextInt(3)));
        }
        int well = 0;
        for (TimedCall<?> client : leaving) {
            try {
                client.await(Limits.CLIENT);
                well++;
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof IOException)) {
                    throw new SoakFailureException("a leaving client ended with " + e.getCause(), e.getCause());
                }
            }
        }
        return well + " of " + clients + " clients left as they wanted";
    }

    private static TimedCall<?> client(Stage stage, Leave way, int kind) {
        InetSocketAddress nio = Probes.server(stage, Server.NIO_ECHO.port());
        InetSocketAddress netty = Probes.server(stage, Server.NETTY_ECHO.port());
        return switch (kind) {
            case 0 -> TimedCall.run("a client of NIO", () -> new NioClient(nio).leave(way));
            case 1 -> TimedCall.run("a client of NIO at Netty", () -> new NioClient(netty).leave(way));
            default -> TimedCall.run("a client with Netty", () -> new NettyClient(netty).leave(way));
        };
    }
}
