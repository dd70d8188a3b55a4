// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import io.github.rdma4j.soak.Fault.Injection;
import io.github.rdma4j.soak.host.Leave;
import io.github.rdma4j.soak.host.NettyClient;
import io.github.rdma4j.soak.host.NioClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;

/** Clients of the servers with channels that leave in every way, two at a time. */
final class LeavingClients {
    private static final Leave[] WAYS = Leave.values();

    /** Each thread that uses a channel of NIO at the same time leaves a block of 80 KiB in a pool. */
    private static final int LANES = 2;

    private static final int KINDS = 3;

    private LeavingClients() {}

    static Fault fault() {
        return new Fault("leave", "clients of NIO and of Netty leave in every way", random -> {
            int clients = 4 + random.nextInt(8);
            long seed = random.nextLong();
            return new Injection(clients + " clients", stage -> leave(stage, clients, new Random(seed)));
        });
    }

    private static String leave(Stage stage, int clients, Random random)
            throws SoakFailureException, InterruptedException {
        List<TimedCall<Integer>> lanes = new ArrayList<>();
        for (int lane = 0; lane < LANES; lane++) {
            List<TimedCall.Action> leaving = new ArrayList<>();
            for (int i = lane; i < clients; i += LANES) {
                leaving.add(client(stage, WAYS[random.nextInt(WAYS.length)], random.nextInt(KINDS)));
            }
            lanes.add(TimedCall.start("leaving clients", () -> run(leaving)));
        }
        int well = 0;
        for (TimedCall<Integer> lane : lanes) {
            try {
                well += lane.await(Limits.CLIENT);
            } catch (ExecutionException e) {
                throw new SoakFailureException("a leaving client ended with " + e.getCause(), e.getCause());
            }
        }
        return well + " of " + clients + " clients left as they wanted";
    }

    /** Returns how many left as they wanted; the servers may have refused the others. */
    private static int run(List<TimedCall.Action> leaving) throws Exception {
        int well = 0;
        for (TimedCall.Action client : leaving) {
            try {
                client.run();
                well++;
            } catch (IOException refused) {
                // The servers are asked afterwards whether they serve.
            }
        }
        return well;
    }

    private static TimedCall.Action client(Stage stage, Leave way, int kind) {
        InetSocketAddress nio = stage.serverAt(Server.NIO_ECHO.port());
        InetSocketAddress netty = stage.serverAt(Server.NETTY_ECHO.port());
        return switch (kind) {
            case 0 -> () -> new NioClient(nio).leave(way);
            case 1 -> () -> new NioClient(netty).leave(way);
            default -> () -> new NettyClient(netty).leave(way);
        };
    }
}
