// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Seeds;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Every server among peers that break each rule at random. A server of many clients serves the next client while the peer is there
 * and after it. A server of one client ends in time, with a line that says what is the matter when it is a failure. {@code
 * -Drdma4j.rounds} sets how often each server meets each peer.
 */
@RequiresKernel
@Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostilePeersKernelIT {
    private static final int ROUNDS = Integer.getInteger("rdma4j.rounds", 1);
    private static final InetSocketAddress UDADDY = new InetSocketAddress(Rxe.IPV4, 7174);
    private static final String GROUP = "239.77.9.1";

    /** As mckey sends it by default. */
    private static final int MESSAGE = 100;

    private final InetSocketAddress address = Rxe.newAddress();
    private final String port = Integer.toString(address.getPort());

    @FunctionalInterface
    private interface Action<D> {
        void on(D deed) throws Exception;
    }

    /** Every deed, in a new order in each round. */
    private static <D> void forEach(D[] deeds, Random random, Action<D> action) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            List<D> order = Arrays.asList(deeds.clone());
            Collections.shuffle(order, random);
            for (D deed : order) {
                try {
                    action.on(deed);
                } catch (Exception | AssertionError e) {
                    throw new AssertionError("round " + round + ", " + deed + ": " + e.getMessage(), e);
                }
            }
        }
    }

    private void assertServesAmongPeers(LastingServer program, Random random) throws Exception {
        try (RunningCommand server = program.start(address.getPort())) {
            forEach(HostilePeer.Deed.values(), random, deed -> {
                try (HostilePeer peer = HostilePeer.act(deed, address, random)) {
                    program.assertServes(server, address.getPort(), peer);
                }
                program.assertServes(server, address.getPort(), deed);
            });
            Outcome.assertClean(server);
        }
    }

    @ParameterizedTest
    @Seeds
    void leaveAPingServerServing(long seed) throws Exception {
        assertServesAmongPeers(LastingServer.PING, new Random(seed));
    }

    @Nightly
    @ParameterizedTest
    @Seeds
    void leaveACmtimeServerServing(long seed) throws Exception {
        assertServesAmongPeers(LastingServer.CMTIME, new Random(seed));
    }

    @ParameterizedTest
    @Seeds
    void leaveALoopWithADispatcherServing(long seed) throws Exception {
        assertServesAmongPeers(LastingServer.LOOP_WITH_DISPATCHER, new Random(seed));
    }

    private RunningCommand cmatoseServer(int connections) {
        RunningCommand server = RunningCommand.start(
                        "cmatose -b " + Rxe.IPV4 + " -w 1 -c " + connections + " -p " + port)
                .awaitOutput("starting server");
        Listeners.await(address.getPort());
        return server;
    }

    private RunningCommand cmatoseClient(int connections) {
        return RunningCommand.start("cmatose -s " + Rxe.IPV4 + " -w 5 -c " + connections + " -p " + port);
    }

    /** The peer is the one client, unless it goes before it is. */
    @ParameterizedTest
    @Seeds
    void endACmatoseServerThatTheyAreTheClientOf(long seed) throws Exception {
        Random random = new Random(seed);
        forEach(HostilePeer.Deed.values(), random, deed -> {
            try (RunningCommand server = cmatoseServer(1)) {
                try (HostilePeer peer = HostilePeer.act(deed, address, random)) {
                    if (peer.isEstablished()) {
                        server.status();
                    }
                }
                Outcome.assertServesOrHasEnded(server, () -> cmatoseClient(1));
            }
        });
    }

    /** The server still waits for another connection, and gives the place of the peer to somebody else. */
    @Nightly
    @ParameterizedTest
    @Seeds
    void giveWayToOthersAtACmatoseServer(long seed) throws Exception {
        Random random = new Random(seed);
        forEach(HostilePeer.Deed.values(), random, deed -> {
            try (RunningCommand server = cmatoseServer(2)) {
                try (HostilePeer peer = HostilePeer.act(deed, address, random)) {
                    assertThat(server.isRunning())
                            .as("%s beside %s", server, peer)
                            .isTrue();
                }
                if (deed.isAnswered()) {
                    server.awaitOutput("another connection may take its place", "refused");
                }
                Outcome.assertServesOrHasEnded(server, () -> cmatoseClient(2));
                server.success();
            }
        });
    }

    @Nightly
    @ParameterizedTest
    @Seeds
    void endAUdaddyServer(long seed) throws Exception {
        Random random = new Random(seed);
        forEach(HostileDatagrams.Deed.values(), random, deed -> {
            try (RunningCommand server =
                    RunningCommand.start("udaddy -b " + Rxe.IPV4 + " -w 1").awaitOutput("starting server")) {
                Listeners.await(UDADDY.getPort());
                try (HostileDatagrams peer = HostileDatagrams.act(deed, UDADDY, random)) {
                    assertThat(peer).isNotNull();
                }
                Outcome.assertServesOrHasEnded(server, () -> RunningCommand.start("udaddy -s " + Rxe.IPV4 + " -w 1"));
            }
        });
    }

    /** Soft-RoCE may fail the receive after a datagram that was longer than its receive; the receiver says so then. */
    @ParameterizedTest
    @Seeds
    void areCountedByAMckeyReceiver(long seed) throws Exception {
        Random random = new Random(seed);
        String member = "-b " + Rxe.IPV4 + " -m " + GROUP;
        forEach(HostileDatagrams.Deed.values(), random, deed -> {
            try (RunningCommand receiver =
                    RunningCommand.start("mckey " + member + " -w 1").awaitOutput("receiving")) {
                HostileDatagrams peer = HostileDatagrams.act(deed, GROUP, random);
                peer.close();
                try (RunningCommand sender = RunningCommand.start("mckey " + member + " -s -d 0")) {
                    sender.success();
                }
                Outcome.assertEnded(receiver);
                if (!peer.hasSentMoreThan(MESSAGE) || !receiver.complaint().contains("LOC_QP_OP_ERR")) {
                    assertThat(receiver.output())
                            .as("%s beside %s", receiver, peer)
                            .contains("10 of 10 messages received, 0 lost");
                }
            }
        });
    }
}
