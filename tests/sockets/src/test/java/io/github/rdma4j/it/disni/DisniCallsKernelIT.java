// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.disni;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** DiSNI's calls one by one, against what libdisni does; the resource tells where rdma4j does otherwise. */
@RequiresKernel
class DisniCallsKernelIT {
    @Test
    void doWhatIsRecorded() throws Exception {
        List<String> command = Program.java(DisniCalls.class, Rxe.IPV4, Integer.toString(Rxe.newPort()), Rxe.SILENT);
        try (Program program = Program.start(command)) {
            assertThat(program.success().lines().filter(line -> line.contains(" -> ")))
                    .containsExactlyElementsOf(recorded());
        }
    }

    /** Without comments, and without what libdisni does instead. */
    private static List<String> recorded() throws IOException {
        try (InputStream lines =
                Objects.requireNonNull(DisniCallsKernelIT.class.getResourceAsStream("/disni/calls.txt"))) {
            return new String(lines.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .map(line -> line.replaceFirst(" \\| (not on )?libdisni: .*", ""))
                    .toList();
        }
    }
}
