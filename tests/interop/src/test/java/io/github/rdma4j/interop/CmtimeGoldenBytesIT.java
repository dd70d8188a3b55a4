// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.cmtime.CmtimeCommand;
import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.program.Listeners;
import io.github.rdma4j.program.RunningCommand;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The bytes that our cmtime gives to the connection manager against those of C cmtime, client and server: as sets of
 * distinct commands, as in {@link GoldenBytesIT}.
 */
@RequiresKernel
class CmtimeGoldenBytesIT {
    private static final int CONNECTIONS = 2;

    @TempDir
    private Path work;

    private final int port = Rxe.newPort();
    private final String server = "-b " + Rxe.IPV4 + " -p " + port;
    private final String client = "-s " + Rxe.IPV4 + " " + server + " -c " + CONNECTIONS;

    /** The C program, which a signal to strace ends as well. */
    private static List<String> traced(Path log, String options) {
        return Strace.of(log, ("-I 2 cmtime " + options).split(" "));
    }

    private DeviceWrites recordC() throws Exception {
        Path serverLog = work.resolve("server.strace");
        Path clientLog = work.resolve("client.strace");
        try (Program serving = Program.start(traced(serverLog, server))) {
            Listeners.await(port);
            Program.start(traced(clientLog, client)).success();
            awaitDestroyed(serverLog, CONNECTIONS);
            serving.terminate();
            serving.status();
        }
        return DeviceWrites.read(serverLog, clientLog);
    }

    private DeviceWrites recordJava() throws Exception {
        Path log = work.resolve("java.strace");
        try (Program strace = Strace.attachToThisJvm(log)) {
            try (RunningCommand serving = RunningCommand.server(new CmtimeCommand(), server, port)) {
                RunningCommand.run(new CmtimeCommand(), client).success();
                awaitDestroyed(log, 2 * CONNECTIONS);
                assertThat(serving).isNotNull();
            }
            strace.terminate();
            strace.status();
        }
        return DeviceWrites.read(log);
    }

    /** The server destroys its ids when the client may have ended already. */
    private static void awaitDestroyed(Path log, int ids) {
        Await.until(ids + " ids destroyed", () -> destroyed(log) >= ids);
    }

    private static long destroyed(Path log) {
        try {
            return Strace.writes(log, "/dev/infiniband/rdma_cm").stream()
                    .filter(write -> write.bytes()[0] == CmCommands.RDMA_USER_CM_CMD_DESTROY_ID)
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void timesConnectionsAsCDoes() throws Exception {
        Set<String> c = recordC().cmWithoutProbe();
        Set<String> java = recordJava().cm();
        assertThat(java).isEqualTo(c);
        assertThat(c).hasSizeGreaterThan(12);
    }
}
