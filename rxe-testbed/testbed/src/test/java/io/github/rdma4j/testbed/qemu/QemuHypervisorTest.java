// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.qemu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.testbed.machine.GuestMachine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class QemuHypervisorTest {
    private static final String CONNECT = """
            use Socket;
            for (@ARGV) {
                my $socket;
                socket($socket, PF_UNIX, SOCK_STREAM, 0) && connect($socket, pack_sockaddr_un($_)) or die $!;
                push @sockets, $socket;
            }
            sleep 1000;
            """;

    @TempDir
    Path run;

    /** A process that connects as QEMU does, and then does nothing. */
    private GuestMachine start() throws Exception {
        List<String> line = new ArrayList<>(List.of("perl", "-e", CONNECT));
        GuestMachine.Ports.NAMES.forEach(name -> line.add(run.resolve(name).toString()));
        return GuestMachine.start("perl", new ProcessBuilder(line), new GuestMachine.Ports(run));
    }

    @Test
    void aGuestWhosePreparationIsInterruptedIsNotLeftBehind() throws Exception {
        GuestMachine guest = start();

        assertThatThrownBy(() -> QemuHypervisor.prepared(guest, 90, () -> {
                    throw new InterruptedException();
                }))
                .isInstanceOf(InterruptedException.class);

        assertThat(guest.process().await()).isEqualTo(128 + 9);
        assertThat(guest.control().isOpen()).isFalse();
    }

    @Test
    void aGuestWhosePreparationFailsIsNotLeftBehind() throws Exception {
        GuestMachine guest = start();

        assertThatThrownBy(() -> QemuHypervisor.prepared(guest, 90, () -> {
                    throw new IOException("damaged");
                }))
                .isInstanceOf(IOException.class);

        assertThat(guest.process().await()).isEqualTo(128 + 9);
    }

    @Test
    void aGuestThatIsPreparedRunsOn() throws Exception {
        try (GuestMachine guest = QemuHypervisor.prepared(start(), 90, () -> {})) {
            assertThat(guest.control().isOpen()).isTrue();
        }
    }
}
