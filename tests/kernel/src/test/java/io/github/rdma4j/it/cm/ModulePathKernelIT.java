// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Program;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A program of modules, from the jars as they are published, without a class path. */
@RequiresKernel
class ModulePathKernelIT {
    /** What the build of {@code tests/artifacts} collects: the program, the libraries, and what they depend on. */
    private static final Path MODULES =
            Path.of("..", "artifacts", "target", "modules").toAbsolutePath();

    private static final String MAIN = "io.github.rdma4j.modular/io.github.rdma4j.modular.ModularEcho";

    @Test
    void aProgramOfModulesConnectsAndExchangesMessages() throws Exception {
        try (Program program = Program.start(command())) {
            assertThat(program.success().lines())
                    .containsExactly(
                            "io.github.rdma4j.kernel in module io.github.rdma4j.kernel",
                            "io.github.rdma4j.verbs in module io.github.rdma4j.uverbs",
                            "io.github.rdma4j.cm in module io.github.rdma4j.cm",
                            "io.github.rdma4j.cm.loop in module io.github.rdma4j.cm",
                            "io.github.rdma4j.sm in module io.github.rdma4j.sm",
                            "io.github.rdma4j.sm.mad in module io.github.rdma4j.sm",
                            "io.github.rdma4j.umad in module io.github.rdma4j.sm",
                            "echo: 42");
        }
    }

    /** No option of the module system is needed; JDK 24 and later warn unless native access is allowed to JNR. */
    private static List<String> command() {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        if (Runtime.version().feature() >= 24) {
            command.add("--enable-native-access=org.jnrproject.jffi");
        }
        command.addAll(List.of("--module-path", MODULES.toString(), "--module", MAIN, Rxe.IPV4));
        return command;
    }
}
