// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.qemu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.testbed.guest.GuestCommand;
import io.github.rdma4j.testbed.guest.GuestFailure;
import io.github.rdma4j.testbed.guest.GuestFailureException;
import io.github.rdma4j.testbed.guest.GuestSession;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.image.KernelImage;
import io.github.rdma4j.testbed.machine.Devices;
import io.github.rdma4j.testbed.machine.GuestMachine;
import io.github.rdma4j.testbed.machine.Hypervisor;
import io.github.rdma4j.testbed.machine.MachineSpec;
import io.github.rdma4j.testbed.machine.NodeLink;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
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

    private static final MachineSpec MACHINE =
            new MachineSpec(512, 1, Devices.NONE, Devices.Files.NONE, List.of(), List.of(), false);

    @TempDir
    Path run;

    /** A process that connects as QEMU does, and then does nothing. */
    private GuestMachine start() throws TestbedException, InterruptedException, IOException {
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

    /** It is this program that ends the guest, and not a lack of memory. */
    @Test
    void aGuestThatBootsTooSlowlySaysSo() throws Exception {
        Hypervisor slow = new Hypervisor() {
            @Override
            public GuestMachine start(MachineSpec machine, @Nullable NodeLink link)
                    throws TestbedException, InterruptedException {
                try {
                    GuestMachine guest = QemuHypervisorTest.this.start();
                    return QemuHypervisor.prepared(guest, 0, guest.process()::await);
                } catch (IOException e) {
                    throw new TestbedException("cannot start perl", e);
                }
            }

            @Override
            public String name() {
                return "perl";
            }

            @Override
            public KernelImage image() {
                throw new UnsupportedOperationException();
            }

            @Override
            public String processor() {
                return "none";
            }
        };
        GuestSession.Streams none = new GuestSession.Streams(
                InputStream.nullInputStream(), OutputStream.nullOutputStream(), OutputStream.nullOutputStream());

        try (GuestSession session = GuestSession.launch(slow, GuestCommand.of(MACHINE, List.of("true")), null)) {
            assertThatThrownBy(() -> session.run(none))
                    .isInstanceOfSatisfying(
                            GuestFailureException.class,
                            failure -> assertThat(failure.failure()).isEqualTo(GuestFailure.HUNG))
                    .hasMessage("the guest did not boot within 0 s");
        }
    }
}
