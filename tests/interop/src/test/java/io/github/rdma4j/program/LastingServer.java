// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.cmtime.CmtimeCommand;
import io.github.rdma4j.cli.ping.PingCommand;
import io.github.rdma4j.cli.transfer.CmatoseCommand;
import io.github.rdma4j.it.support.Rxe;
import java.util.List;
import java.util.concurrent.Callable;

/** A server that serves one client after the other, or many at once, until it is told to end. */
@SuppressWarnings("ImmutableEnumChecker") // what makes a command has no state
enum LastingServer {
    PING(PingCommand::new, "--server " + Rxe.IPV4, PingCommand::new, Rxe.IPV4 + " -C 3", "rping -c -a " + Rxe.IPV4),
    CMTIME(
            CmtimeCommand::new,
            "-b " + Rxe.IPV4,
            CmtimeCommand::new,
            "-s " + Rxe.IPV4 + " -c 3",
            "cmtime -c 20 -s " + Rxe.IPV4),
    LOOP_WITH_DISPATCHER(
            LoopServer::new, "-b " + Rxe.IPV4, CmatoseCommand::new, "-s " + Rxe.IPV4, "ucmatose -c 4 -s " + Rxe.IPV4);

    /** Makes the command anew for each run. */
    private interface Command {
        Callable<Integer> make();
    }

    private final Command server;
    private final String serverArguments;
    private final Command client;
    private final String clientArguments;
    private final String clientInC;

    LastingServer(Command server, String serverArguments, Command client, String clientArguments, String clientInC) {
        this.server = server;
        this.serverArguments = serverArguments;
        this.client = client;
        this.clientArguments = clientArguments;
        this.clientInC = clientInC;
    }

    RunningCommand start(int port) {
        return RunningCommand.start(server.make(), serverArguments + " -p " + port)
                .awaitOutput("listening");
    }

    /** The command line of a client of rdma-core. */
    List<String> clientInC(int port) {
        return List.of((clientInC + " -p " + port).split(" "));
    }

    /** A client of ours is served, beside or after {@code peer}. */
    void assertServes(RunningCommand running, int port, Object peer) throws Exception {
        try (RunningCommand good = RunningCommand.start(client.make(), clientArguments + " -p " + port)) {
            assertThat(good.status())
                    .as("%s beside %s of %s", good, peer, running)
                    .isZero();
        }
        assertThat(running.isRunning()).as("%s", running).isTrue();
    }
}
