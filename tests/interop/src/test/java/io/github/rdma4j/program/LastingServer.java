// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.Rxe;
import java.util.List;

/** A server that serves one client after the other, or many at once, until it is told to end. */
enum LastingServer {
    PING("ping --server " + Rxe.IPV4, "ping " + Rxe.IPV4 + " -C 3", "rping -c -a " + Rxe.IPV4),
    CMTIME("cmtime -b " + Rxe.IPV4, "cmtime -s " + Rxe.IPV4 + " -c 3", "cmtime -c 20 -s " + Rxe.IPV4),
    LOOP_WITH_DISPATCHER("loop -b " + Rxe.IPV4, "cmatose -s " + Rxe.IPV4, "ucmatose -c 4 -s " + Rxe.IPV4);

    private final String server;
    private final String client;
    private final String clientInC;

    LastingServer(String server, String client, String clientInC) {
        this.server = server;
        this.client = client;
        this.clientInC = clientInC;
    }

    RunningCommand start(int port) {
        return RunningCommand.start(server + " -p " + port).awaitOutput("listening");
    }

    /** The command line of a client of rdma-core. */
    List<String> clientInC(int port) {
        return List.of((clientInC + " -p " + port).split(" "));
    }

    /** A client of ours is served, beside or after {@code peer}. */
    void assertServes(RunningCommand running, int port, Object peer) throws Exception {
        try (RunningCommand good = RunningCommand.start(client + " -p " + port)) {
            assertThat(good.status())
                    .as("%s beside %s of %s", good, peer, running)
                    .isZero();
        }
        assertThat(running.isRunning()).as("%s", running).isTrue();
    }
}
