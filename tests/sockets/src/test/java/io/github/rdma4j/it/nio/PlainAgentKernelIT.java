// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.nio.RdmaSockets;
import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One option of the JVM takes an unchanged program to RDMA, whose class path knows nothing of this project. */
@RequiresKernel
class PlainAgentKernelIT {
    private static final String JARS = "(rdma4j|jnr|jffi|asm)-.*(?<!tests)\\.jar";

    @Test
    void anUnchangedProgramGoesOverRdma(@TempDir Path folder) throws Exception {
        for (Path jar : Program.classPath().map(Path::of).toList()) {
            if (jar.getFileName().toString().matches(JARS)) {
                Files.copy(jar, folder.resolve(jar.getFileName()));
            }
        }
        List<String> command = new ArrayList<>(Program.java(UnchangedProgram.class, Rxe.IPV4));
        command.set(command.indexOf("-cp") + 1, jar(UnchangedProgram.class).toString());
        command.add(1, "-javaagent:" + folder.resolve(jar(RdmaSockets.class).getFileName()) + "=fallback none");
        long before = packets();
        try (Program program = Program.start(command)) {
            assertThat(program.success())
                    .contains("RMI equal", "TLS equal")
                    .containsPattern("HTTP equal\nHTTP equal\nHTTP equal")
                    .containsPattern(
                            "connected [1-9]\\d* over RDMA and 0 over TCP, accepted [1-9]\\d* over RDMA and 0 over TCP");
        }
        // Five megabytes go there, and come back.
        assertThat(packets() - before).isGreaterThan(2 * 5 * (1 << 20) / 4096);
    }

    private static Path jar(Class<?> of) throws Exception {
        return Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static long packets() throws IOException {
        return Long.parseLong(
                Files.readString(Path.of("/sys/class/infiniband/" + Rxe.DEVICE + "/ports/1/hw_counters/sent_pkts"))
                        .strip());
    }
}
