// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.transfer.CmatoseCommand;
import io.github.rdma4j.cli.transfer.UdaddyCommand;
import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.program.Listeners;
import io.github.rdma4j.program.RunningCommand;
import io.github.rdma4j.support.Program;
import java.nio.file.Path;
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
    private static final int UDADDY_PORT = 7174;

    @TempDir
    private Path work;

    /** What C gives: both sides, one after the other in time, each in a process of its own. */
    private DeviceWrites recordC(String program, int port, String options) throws Exception {
        Path serverLog = work.resolve("server.strace");
        Path clientLog = work.resolve("client.strace");
        String[] serving = (program + " -b " + options).split(" ");
        try (Program server = Program.start(Strace.of(serverLog, serving))) {
            Listeners.await(port);
            Program.start(Strace.of(clientLog, (program + " -s " + options).split(" ")))
                    .success();
            server.success();
        }
        return DeviceWrites.read(serverLog, clientLog);
    }

    /** What we give, in this JVM. */
    private DeviceWrites recordJava(Supplier<Callable<Integer>> program, int port, String options) throws Exception {
        Path log = work.resolve("java.strace");
        try (Program strace = Strace.attachToThisJvm(log)) {
            RunningCommand server = RunningCommand.server(program.get(), "-b " + options, port);
            RunningCommand.run(program.get(), "-s " + options).success();
            server.success();
            strace.terminate();
            strace.status();
        }
        return DeviceWrites.read(log);
    }

    @Test
    void connectsAndMigratesAsCDoes() throws Exception {
        int port = Rxe.newPort();
        String options = Rxe.IPV4 + " -p " + port + " -c 2 -C 3 -m -t 0x20 -a 14";
        DeviceWrites c = recordC("ucmatose", port, options);
        DeviceWrites java = recordJava(CmatoseCommand::new, port, options);
        assertThat(java.cm()).isEqualTo(c.cmWithoutProbe());
        assertThat(c.cm()).anyMatch(command -> isCommand(command, CmCommands.RDMA_USER_CM_CMD_MIGRATE_ID));
    }

    @Test
    void exchangesDatagramsAsCDoes() throws Exception {
        String options = Rxe.IPV4 + " -c 2 -C 3";
        DeviceWrites c = recordC("udaddy", UDADDY_PORT, options);
        DeviceWrites java = recordJava(UdaddyCommand::new, UDADDY_PORT, options);
        assertThat(java.cm()).isEqualTo(c.cmWithoutProbe());
        assertThat(c.cm()).anyMatch(command -> isCommand(command, CmCommands.RDMA_USER_CM_CMD_ACCEPT));
    }

    private static boolean isCommand(String text, int command) {
        return text.startsWith("rdma_cm " + command + " ");
    }
}
