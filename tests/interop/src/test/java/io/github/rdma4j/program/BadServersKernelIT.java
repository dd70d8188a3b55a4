// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients of ours at servers that misbehave: each ends with one line that says what is the matter. */
@RequiresKernel
class BadServersKernelIT {
    private final InetSocketAddress address = Rxe.newAddress();

    private void assertFails(String client, String complaint) throws Exception {
        try (RunningCommand command = RunningCommand.start(client + " -p " + address.getPort())) {
            assertThat(command.status()).as("%s", command).isEqualTo(1);
            assertThat(command.complaint()).contains(complaint).hasLineCount(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "NEVER_ACCEPTS, no answer from the server",
        "REJECTS, REJECTED",
        "IS_SILENT, no answer from the server",
        "LEAVES, disconnected",
        "TALKS_TOO_MUCH, LOC_"
    })
    void endAPingClient(BadServer.Kind kind, String complaint) throws Exception {
        try (BadServer server = new BadServer(kind, address)) {
            assertThat(server).isNotNull();
            assertFails("ping " + Rxe.IPV4 + " --timeout 2", complaint);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "NEVER_ACCEPTS, not all established",
        "REJECTS, REJECTED",
        "IS_SILENT, messages of",
        "LEAVES, the other side has given up",
        "TALKS_TOO_MUCH, LOC_"
    })
    void endACmatoseClient(BadServer.Kind kind, String complaint) throws Exception {
        try (BadServer server = new BadServer(kind, address)) {
            assertThat(server).isNotNull();
            assertFails("cmatose -s " + Rxe.IPV4 + " -w 2", complaint);
        }
    }

    @Test
    void thatNeverAcceptEndACmtimeClient() throws Exception {
        try (BadServer server = new BadServer(BadServer.Kind.NEVER_ACCEPTS, address)) {
            assertThat(server).isNotNull();
            assertFails("cmtime -s " + Rxe.IPV4 + " -c 2 -w 2", "2 of 2 connections failed");
        }
    }
}
