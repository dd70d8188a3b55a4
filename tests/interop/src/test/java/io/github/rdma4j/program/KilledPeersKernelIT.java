// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

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

    private static String kill(List<String> client, Random random) throws InterruptedException {
        int micros = random.nextInt(LONGEST_LIFE_MICROS);
        try (Program program = Program.start(client)) {
            TimeUnit.MICROSECONDS.sleep(micros);
            program.kill();
        }
        return client + " killed after " + micros + " us";
    }

    @ParameterizedTest
    @Seeds
    void leaveAServerServing(long seed) throws Exception {
        Random random = new Random(seed);
        for (LastingServer program : LastingServer.values()) {
            try (RunningCommand server = program.start(port)) {
                for (int i = 0; i < ROUNDS; i++) {
                    program.assertServes(server, port, "round " + i + ", " + kill(program.clientInC(port), random));
                }
                Outcome.assertClean(server);
            }
        }
    }

    @ParameterizedTest
    @Seeds
    void endACmatoseServer(long seed) throws Exception {
        Random random = new Random(seed);
        List<String> client = List.of("ucmatose", "-s", Rxe.IPV4, "-p", Integer.toString(port));
        for (int i = 0; i < ROUNDS; i++) {
            try (RunningCommand server = RunningCommand.start("cmatose -b " + Rxe.IPV4 + " -w 1 -p " + port)
                    .awaitOutput("starting server")) {
                Listeners.await(port);
                kill(client, random);
                Outcome.assertServesOrHasEnded(
                        server, () -> RunningCommand.start("cmatose -s " + Rxe.IPV4 + " -w 5 -p " + port));
            }
        }
    }

    @ParameterizedTest
    @Seeds
    void endAUdaddyServer(long seed) throws Exception {
        Random random = new Random(seed);
        for (int i = 0; i < ROUNDS; i++) {
            try (RunningCommand server =
                    RunningCommand.start("udaddy -b " + Rxe.IPV4 + " -w 1").awaitOutput("starting server")) {
                Listeners.await(UDADDY_PORT);
                kill(List.of("udaddy", "-s", Rxe.IPV4), random);
                Outcome.assertServesOrHasEnded(server, () -> RunningCommand.start("udaddy -s " + Rxe.IPV4 + " -w 1"));
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
                    RunningCommand.start("mckey " + member + " -w 1").awaitOutput("receiving")) {
                kill(List.of("mckey", "-b", Rxe.IPV4, "-m", GROUP, "-s"), random);
                try (RunningCommand sender = RunningCommand.start("mckey " + member + " -s -d 0")) {
                    Outcome.assertEnded(sender);
                }
                Outcome.assertEnded(receiver);
            }
        }
    }
}
