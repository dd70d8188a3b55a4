// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.transfer.CmatoseCommand;
import io.github.rdma4j.cli.transfer.UdaddyCommand;
import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The bytes that our cmatose and udaddy give to the connection manager against those of the C programs, with the same
 * options: as sets of distinct commands, as in {@link GoldenBytesIT}.
 */
@RequiresKernel
class TransferGoldenBytesIT {
    /** C's, which cannot be changed. */
    private static final String UDADDY_PORT = "7174";

    @TempDir
    private Path work;

    /** What C gives: both sides, one after the other in time, each in a process of its own. */
    private DeviceWrites recordC(String program, String port, List<String> options) throws Exception {
        Path serverLog = work.resolve("server.strace");
        Path clientLog = work.resolve("client.strace");
        try (Program server = Program.start(Strace.of(serverLog, line(program, "-b", options)))) {
            Listeners.await(Integer.parseInt(port));
            Program.start(Strace.of(clientLog, line(program, "-s", options))).success();
            server.success();
        }
        return DeviceWrites.read(serverLog, clientLog);
    }

    private static String[] line(String program, String role, List<String> options) {
        List<String> line = new ArrayList<>(List.of(program, role, Rxe.IPV4));
        line.addAll(options);
        return line.toArray(String[]::new);
    }

    /** What we give, in this JVM. */
    private DeviceWrites recordJava(Supplier<Callable<Integer>> program, String port, List<String> options)
            throws Exception {
        Path log = work.resolve("java.strace");
        try (Program strace = Strace.attachToThisJvm(log)) {
            Await.Running<CommandRun> server = Await.inThread(() -> run(program, "-b", options));
            Listeners.await(Integer.parseInt(port));
            run(program, "-s", options).success();
            server.result().success();
            strace.terminate();
            strace.status();
        }
        return DeviceWrites.read(log);
    }

    private static CommandRun run(Supplier<Callable<Integer>> program, String role, List<String> options) {
        List<String> arguments = new ArrayList<>(List.of(role, Rxe.IPV4));
        arguments.addAll(options);
        return CommandRun.of(program.get(), arguments);
    }

    @Test
    void connectsAndMigratesAsCDoes() throws Exception {
        String port = Integer.toString(Rxe.newPort());
        List<String> options = List.of("-p", port, "-c", "2", "-C", "3", "-m", "-t", "0x20", "-a", "14");
        DeviceWrites c = recordC("ucmatose", port, options);
        DeviceWrites java = recordJava(CmatoseCommand::new, port, options);
        assertThat(java.cm()).isEqualTo(c.cmWithoutProbe());
        assertThat(c.cm()).anyMatch(command -> isCommand(command, CmCommands.RDMA_USER_CM_CMD_MIGRATE_ID));
    }

    @Test
    void exchangesDatagramsAsCDoes() throws Exception {
        List<String> options = List.of("-c", "2", "-C", "3");
        DeviceWrites c = recordC("udaddy", UDADDY_PORT, options);
        DeviceWrites java = recordJava(UdaddyCommand::new, UDADDY_PORT, options);
        assertThat(java.cm()).isEqualTo(c.cmWithoutProbe());
        assertThat(c.cm()).anyMatch(command -> isCommand(command, CmCommands.RDMA_USER_CM_CMD_ACCEPT));
    }

    private static boolean isCommand(String text, int command) {
        return text.startsWith("rdma_cm " + command + " ");
    }
}
