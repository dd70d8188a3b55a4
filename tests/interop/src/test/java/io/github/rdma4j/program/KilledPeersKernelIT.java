// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import io.github.rdma4j.cli.transfer.CmatoseCommand;
import io.github.rdma4j.cli.transfer.MckeyCommand;
import io.github.rdma4j.cli.transfer.UdaddyCommand;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.support.Seeds;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Every server while clients of rdma-core are killed at any moment of their work. A server of many clients serves the next client. A
 * server of one client serves the next client, or ends in time with a line that says what is the matter. {@code -Drdma4j.rounds} sets
 * how many clients of each server are killed.
 */
@RequiresKernel
@Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledPeersKernelIT {
    private static final int ROUNDS = Integer.getInteger("rdma4j.rounds", 3);

    /** Longer than a client needs from its start to the end of a short exchange. */
    private static final int LONGEST_LIFE_MICROS = 60_000;

    private static final int UDADDY_PORT = 7174;
    private static final String GROUP = "239.77.9.2";

    private final int port = Rxe.newPort();

    /** One round; the description names the client that was killed. */
    @FunctionalInterface
    private interface Round {
        void after(String killed) throws Exception;
    }

    private static void killInEachRound(List<String> client, Random random, Round round) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            round.after("round " + i + ", " + kill(client, random));
        }
    }

    private static String kill(List<String> client, Random random) throws InterruptedException {
        int micros = random.nextInt(LONGEST_LIFE_MICROS);
        try (Program program = Program.start(client)) {
            TimeUnit.MICROSECONDS.sleep(micros);
            program.kill();
        }
        return client + " killed after " + micros + " us";
    }

    private void assertServesAfterEachKill(LastingServer program, long seed) throws Exception {
        try (RunningCommand server = program.start(port)) {
            killInEachRound(
                    program.clientInC(port), new Random(seed), killed -> program.assertServes(server, port, killed));
            Outcome.assertClean(server);
        }
    }

    @ParameterizedTest
    @Seeds
    void leaveAPingServerServing(long seed) throws Exception {
        assertServesAfterEachKill(LastingServer.PING, seed);
    }

    @ParameterizedTest
    @Seeds
    void leaveACmtimeServerServing(long seed) throws Exception {
        assertServesAfterEachKill(LastingServer.CMTIME, seed);
    }

    @ParameterizedTest
    @Seeds
    void leaveALoopWithADispatcherServing(long seed) throws Exception {
        assertServesAfterEachKill(LastingServer.LOOP_WITH_DISPATCHER, seed);
    }

    @ParameterizedTest
    @Seeds
    void endACmatoseServer(long seed) throws Exception {
        Random random = new Random(seed);
        List<String> client = List.of("ucmatose", "-s", Rxe.IPV4, "-p", Integer.toString(port));
        for (int i = 0; i < ROUNDS; i++) {
            try (RunningCommand server = RunningCommand.start(
                            new CmatoseCommand(), "-b " + Rxe.IPV4 + " -w 1 -p " + port)
                    .awaitOutput("starting server")) {
                Listeners.await(port);
                kill(client, random);
                Outcome.assertServesOrHasEnded(
                        server,
                        () -> RunningCommand.start(new CmatoseCommand(), "-s " + Rxe.IPV4 + " -w 5 -p " + port));
            }
        }
    }

    @ParameterizedTest
    @Seeds
    void endAUdaddyServer(long seed) throws Exception {
        Random random = new Random(seed);
        for (int i = 0; i < ROUNDS; i++) {
            try (RunningCommand server = RunningCommand.start(new UdaddyCommand(), "-b " + Rxe.IPV4 + " -w 1")
                    .awaitOutput("starting server")) {
                Listeners.await(UDADDY_PORT);
                kill(List.of("udaddy", "-s", Rxe.IPV4), random);
                Outcome.assertServesOrHasEnded(
                        server, () -> RunningCommand.start(new UdaddyCommand(), "-s " + Rxe.IPV4 + " -w 1"));
            }
        }
    }

    @ParameterizedTest
    @Seeds
    void leaveAMckeyReceiverReceiving(long seed) throws Exception {
        Random random = new Random(seed);
        String member = "-b " + Rxe.IPV4 + " -m " + GROUP;
        for (int i = 0; i < ROUNDS; i++) {
            try (RunningCommand receiver =
                    RunningCommand.start(new MckeyCommand(), member + " -w 1").awaitOutput("receiving")) {
                kill(List.of("mckey", "-b", Rxe.IPV4, "-m", GROUP, "-s"), random);
                try (RunningCommand sender = RunningCommand.start(new MckeyCommand(), member + " -s -d 0")) {
                    Outcome.assertEnded(sender);
                }
                Outcome.assertEnded(receiver);
            }
        }
    }
}
