// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The bytes that our cmatose, udaddy and cmtime give to the connection manager against those of the C programs, with the same
 * options: as sets of distinct commands, as in {@link GoldenBytesIT}.
 */
@RequiresKernel
class TransferGoldenBytesIT {
    /** C's, which cannot be changed. */
    private static final int UDADDY_PORT = 7174;

    @TempDir
    private Path work;

    /** The options of either side. A server that serves for ever is ended once it has destroyed so many ids; 0 for the others. */
    private record Sides(int port, String server, String client, int ids) {}

    /** What C gives: both sides, one after the other in time, each in a process of its own. */
    private Set<String> recordC(String program, Sides sides) throws Exception {
        Path serverLog = work.resolve("server.strace");
        Path clientLog = work.resolve("client.strace");
        // A signal to strace ends the program as well.
        String traced = "-I 2 " + program + " ";
        try (Program server = Program.start(Strace.of(serverLog, (traced + sides.server).split(" ")))) {
            Listeners.await(sides.port);
            Program.start(Strace.of(clientLog, (traced + sides.client).split(" ")))
                    .success();
            if (sides.ids == 0) {
                server.success();
            } else {
                awaitDestroyed(serverLog, sides.ids);
                server.terminate();
                server.status();
            }
        }
        return DeviceWrites.read(serverLog, clientLog).cmWithoutProbe();
    }

    /** What we give, in this JVM. */
    private Set<String> recordJava(String program, Sides sides) throws Exception {
        Path log = work.resolve("java.strace");
        try (Program strace = Strace.attachToThisJvm(log)) {
            try (RunningCommand server = RunningCommand.server(program + " " + sides.server, sides.port)) {
                RunningCommand.run(program + " " + sides.client).success();
                if (sides.ids == 0) {
                    server.success();
                } else {
                    awaitDestroyed(log, 2 * sides.ids);
                }
            }
            strace.terminate();
            strace.status();
        }
        return DeviceWrites.read(log).cm();
    }

    /** The server destroys its ids when the client may have ended already. */
    private static void awaitDestroyed(Path log, int ids) {
        Await.until(ids + " ids destroyed", () -> commands(log, CmCommands.RDMA_USER_CM_CMD_DESTROY_ID) >= ids);
    }

    private static long commands(Path log, int command) {
        try {
            return Strace.writes(log, "/dev/infiniband/rdma_cm").stream()
                    .filter(write -> write.bytes()[0] == command)
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Both give the same, this command among it. */
    private void assertSame(String c, String java, Sides sides, int command) throws Exception {
        Set<String> given = recordC(c, sides);
        assertThat(recordJava(java, sides)).isEqualTo(given);
        assertThat(given).anyMatch(text -> text.startsWith("rdma_cm " + command + " "));
    }

    @Test
    void connectsAndMigratesAsCDoes() throws Exception {
        int port = Rxe.newPort();
        String options = Rxe.IPV4 + " -p " + port + " -c 2 -C 3 -m -t 0x20 -a 14";
        Sides sides = new Sides(port, "-b " + options, "-s " + options, 0);
        assertSame("ucmatose", "cmatose", sides, CmCommands.RDMA_USER_CM_CMD_MIGRATE_ID);
    }

    @Test
    void exchangesDatagramsAsCDoes() throws Exception {
        String options = Rxe.IPV4 + " -c 2 -C 3";
        Sides sides = new Sides(UDADDY_PORT, "-b " + options, "-s " + options, 0);
        assertSame("udaddy", "udaddy", sides, CmCommands.RDMA_USER_CM_CMD_ACCEPT);
    }

    @Test
    void timesConnectionsAsCDoes() throws Exception {
        int port = Rxe.newPort();
        String server = "-b " + Rxe.IPV4 + " -p " + port;
        Sides sides = new Sides(port, server, "-s " + Rxe.IPV4 + " " + server + " -c 2", 2);
        assertSame("cmtime", "cmtime", sides, CmCommands.RDMA_USER_CM_CMD_DISCONNECT);
    }
}
