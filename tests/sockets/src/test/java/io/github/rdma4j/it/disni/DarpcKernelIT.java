// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.disni;

import static io.github.rdma4j.it.disni.DisniProgramsKernelIT.lines;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Programs that know DaRPC only: its modes, and a client that is killed. */
@RequiresKernel
class DarpcKernelIT {
    private static final List<String> MODES = List.of(
            "future-poll", "future-take", "stream-poll", "stream-take", "batch-stream-poll", "batch-stream-take");

    private final String port = Integer.toString(Rxe.newPort());

    @Test
    @Nightly
    void answersInAllItsModesWithInlineData() throws Exception {
        try (Program server = Program.start(Program.java(DarpcServer.class, Rxe.IPV4, port, "64"))) {
            server.awaitOutput("serving");
            assertServed(server, "64");
        }
    }

    private void assertServed(Program server, String inline) throws Exception {
        List<String> lines = lines(Program.java(DarpcClient.class, Rxe.IPV4, port, inline));
        assertThat(lines).hasSize(MODES.size() + 1).last().isEqualTo("closed");
        assertThat(lines.stream().limit(MODES.size()))
                .containsExactlyElementsOf(
                        MODES.stream().map(mode -> mode + ": 200 calls").toList());
        server.awaitOutput("a client has gone");
    }

    @Nightly
    @Test
    void answersInAllItsModesWhenAClientWasKilled() throws Exception {
        try (Program server = Program.start(Program.java(DarpcServer.class, Rxe.IPV4, port, "0"))) {
            server.awaitOutput("serving");
            try (Program client = Program.start(Program.java(DarpcClient.class, Rxe.IPV4, port, "0", "for ever"))) {
                client.awaitOutput("stream-poll");
                client.kill();
            }
            server.awaitOutput("a client has gone");
            assertServed(server, "0");
        }
    }
}
