// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.Main;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.it.support.OpenResources;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers of ours among clients that misbehave: each client's trouble is a line, and good clients are served. */
@RequiresKernel
class BadClientsKernelIT {
    private static final int TIMES = 12;
    private static final int MIB = 1 << 20;

    /** The start of a JVM takes long in a guest under emulation whose host is busy. */
    static final Duration START = Duration.ofMinutes(3);

    private final InetSocketAddress address = Rxe.newAddress();
    private final String port = Integer.toString(address.getPort());

    private RunningCommand pingServer(String more) {
        return RunningCommand.start("ping --server " + Rxe.IPV4 + " -p " + port + more)
                .awaitOutput("listening");
    }

    private void assertServes(RunningCommand server) throws Exception {
        LastingServer.PING.assertServes(server, address.getPort(), "bad clients");
    }

    /** A client that goes while the server deals with what it has done must not take the server along. */
    @ParameterizedTest
    @EnumSource
    void leaveAPingServerServing(BadClient.Kind kind) throws Exception {
        try (RunningCommand server = pingServer("")) {
            for (int i = 0; i < TIMES; i++) {
                BadClient.misbehave(kind, address, i % 2 == 0);
            }
            assertServes(server);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"TALKS_TOO_MUCH", "OFFERS_WRONG_KEY", "OFFERS_NOTHING", "OFFERS_TOO_MUCH"})
    void areNamedByAPingServer(BadClient.Kind kind) throws Exception {
        try (RunningCommand server = pingServer("");
                BadClient.Held client = BadClient.Held.connect(address)) {
            switch (kind) {
                case TALKS_TOO_MUCH -> client.end().send(17);
                case OFFERS_WRONG_KEY -> client.end().offer(64, 0x5a00);
                case OFFERS_NOTHING -> client.end().offer(0, 0);
                default -> client.end().offer(Integer.MAX_VALUE, 0);
            }
            client.awaitEnd();
            server.awaitOutput("after 0 pings: ");
        }
    }

    @Test
    void thatSaidNothingAreServedNoPings() throws Exception {
        try (RunningCommand server = pingServer("")) {
            BadClient.misbehave(BadClient.Kind.LEAVES, address, false);
            server.awaitOutput("served 0 pings\n");
            assertThat(server.output()).doesNotContain("NaN");
        }
    }

    @Test
    void areRefusedBeyondTheLimitOfConnections() throws Exception {
        try (RunningCommand server = pingServer(" --max-connections 2");
                BadClient.Held first = BadClient.Held.connect(address)) {
            try (BadClient.Held second = BadClient.Held.connect(address)) {
                assertThat(BadClient.isRefused(address)).isTrue();
                server.awaitOutput("2 connections are open");
                assertThat(second.end().id().state()).isEqualTo(CmState.ESTABLISHED);
            }
            server.awaitOutput("served 0 pings");
            assertServes(server);
            assertThat(first.end().id().state()).isEqualTo(CmState.ESTABLISHED);
        }
    }

    @Test
    void thatWantTooMuchMemoryAreEndedAndOthersNot() throws Exception {
        try (RunningCommand server = pingServer(" -v --max-bytes " + MIB);
                BadClient.Held modest = BadClient.Held.connect(address);
                BadClient.Held greedy = BadClient.Held.connect(address, MIB)) {
            modest.offer(64);
            server.awaitOutput("server ping data"); // so its bytes are held, and no longer to be had for the other
            greedy.offer(MIB);
            greedy.awaitEnd();
            server.awaitOutput("--max-bytes");
            assertServes(server);
            modest.end().offer(64, 0);
            assertThat(modest.end().completion().isSuccess()).isTrue();
        }
    }

    @Test
    void thatAreSilentAreEndedAfterTheIdleTime() throws Exception {
        try (RunningCommand server = pingServer(" --idle 1");
                BadClient.Held silent = BadClient.Held.connect(address)) {
            silent.awaitEnd();
            server.awaitOutput("--idle");
            assertServes(server);
        }
    }

    @Test
    void thatNeverEstablishLeaveServersServing() throws Exception {
        try (RunningCommand server = pingServer(" --idle 1");
                BadClient.HalfOpen client = new BadClient.HalfOpen(address)) {
            assertThat(client).isNotNull();
            server.awaitOutput("never established");
            assertServes(server);
        }
    }

    /** Direct memory is the process's own, so the server is a process; before long nothing is left of it. */
    @Nightly
    @Test
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void thatExhaustTheDirectMemoryLeaveAPingServerServing() throws Exception {
        List<BadClient.Held> clients = new ArrayList<>();
        List<String> command = Program.java(Main.class, "ping", "--server", Rxe.IPV4, "-p", port);
        command.add(1, "-XX:MaxDirectMemorySize=1m");
        try (Program server = Program.start(command)) {
            server.awaitOutput("listening", START);
            try {
                for (int size = MIB / 2; !server.output().contains("refused"); size = Math.max(1, size / 2)) {
                    Optional<BadClient.Held> client = BadClient.Held.tryToConnect(address, size);
                    if (client.isPresent()) {
                        clients.add(client.get());
                        client.get().end().offer(size, 0);
                    }
                }
            } finally {
                for (BadClient.Held client : clients) {
                    client.close();
                }
            }
            assertThat(server.output()).contains("out of memory");
            RunningCommand.start("ping " + Rxe.IPV4 + " -C 3 -p " + port).success();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LEAVES", "QUITS", "TALKS_TOO_MUCH"})
    void leaveACmtimeServerServing(BadClient.Kind kind) throws Exception {
        try (RunningCommand server = LastingServer.CMTIME.start(address.getPort())) {
            for (int i = 0; i < TIMES; i++) {
                BadClient.misbehave(kind, address, false);
            }
            LastingServer.CMTIME.assertServes(server, address.getPort(), kind);
        }
    }

    @Test
    void areRefusedBeyondTheLimitOfConnectionsOfACmtimeServer() throws Exception {
        try (RunningCommand server = RunningCommand.start("cmtime -b " + Rxe.IPV4 + " --max-connections 1 -p " + port)
                .awaitOutput("listening")) {
            try (BadClient.Held first = BadClient.Held.connect(address)) {
                assertThat(BadClient.isRefused(address)).isTrue();
                assertThat(first).isNotNull();
            }
            server.awaitOutput("1 connections are open");
        }
    }

    /** Connections that are open when a server ends hold a share of the completion queues that nobody gives back. */
    @Test
    void thatAreConnectedWhenACmtimeServerEndsLeaveNothingOfIt() throws Exception {
        List<String> before = OpenResources.now();
        BadClient.Held client;
        try (RunningCommand server = RunningCommand.start("cmtime -b " + Rxe.IPV4 + " -p " + port)) {
            server.awaitOutput("listening");
            client = BadClient.Held.connect(address);
        }
        client.awaitEnd();
        client.close();
        assertThat(OpenResources.now()).hasSameSizeAs(before);
    }

    /** Before the exchange begins another client takes the place of the bad one. */
    @Test
    void giveWayToOthersAtACmatoseServer() throws Exception {
        try (RunningCommand server = RunningCommand.start("cmatose -b " + Rxe.IPV4 + " -c 2 -p " + port)
                .awaitOutput("starting server")) {
            Listeners.await(address.getPort());
            // The kernel may take the request of one that quits back before the server sees it.
            BadClient.misbehave(BadClient.Kind.QUITS, address, false);
            BadClient.misbehave(BadClient.Kind.LEAVES, address, false);
            server.awaitOutput("another connection may take its place");
            server.serves("cmatose -s " + Rxe.IPV4 + " -c 2 -p " + port);
            server.success();
        }
    }

    /** Once the exchange has begun the others get all that is theirs, and the run is a failure. */
    @Test
    void thatAreSilentDoNotTouchTheOthersOfACmatoseServer() throws Exception {
        try (RunningCommand server = RunningCommand.start("cmatose -b " + Rxe.IPV4 + " -c 2 -w 1 -p " + port)
                .awaitOutput("starting server")) {
            Listeners.await(address.getPort());
            try (BadClient.Held silent = BadClient.Held.connect(address);
                    RunningCommand good = RunningCommand.start("cmatose -s " + Rxe.IPV4 + " -p " + port)) {
                assertThat(good.status()).as("%s, %s", good, server).isZero();
                assertThat(server.status()).isEqualTo(1);
                assertThat(silent).isNotNull();
            }
            assertThat(server.output()).contains("nothing has come for 1 s", "10 messages of 100 bytes verified");
            assertThat(server.complaint()).contains("1 of 2 connections failed");
        }
    }
}
