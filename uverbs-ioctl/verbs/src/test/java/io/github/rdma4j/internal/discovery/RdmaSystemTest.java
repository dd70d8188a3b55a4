// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.discovery;

import static io.github.rdma4j.testkit.ScriptedKernel.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.support.Captured;
import io.github.rdma4j.testkit.ScriptedKernel;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class RdmaSystemTest {
    private static final Path NOWHERE = Path.of("nowhere");

    private final ScriptedKernel syscalls = new ScriptedKernel();

    private RdmaSystem answer(byte[] reply) throws Exception {
        syscalls.expectSocket(16, 3, 20, 5)
                .expectNonBlocking(5)
                .expectWrite(5, Captured.SYSTEM_REQUEST)
                .expectRead(5, reply)
                .expectClose(5);
        return RdmaSystem.query(syscalls.kernel(NOWHERE));
    }

    @Test
    void tellsTheNamespaceMode() throws Exception {
        assertThat(answer(Captured.SYSTEM)).isEqualTo(new RdmaSystem(true, true));
        byte[] exclusive = Captured.SYSTEM.clone();
        exclusive[20] = 0;
        assertThat(answer(exclusive)).isEqualTo(new RdmaSystem(false, true));
    }

    @Test
    void anOldKernelSharesAndDoesNotCopy() throws Exception {
        assertThat(answer(Captured.hex("10000000 0614 0000 01000000 00000000"))).isEqualTo(new RdmaSystem(true, false));
    }

    @Test
    void anAcknowledgementIsNoAnswer() {
        assertThatThrownBy(() -> answer(Captured.error(1, 0)))
                .isInstanceOf(MalformedReplyException.class)
                .hasMessageContaining("RDMA_NLDEV_CMD_SYS_GET (0 messages instead of one)");
    }

    @Test
    void keepsTheKernelsErrorNumber() {
        assertThatThrownBy(() -> answer(Captured.error(1, 524)))
                .isInstanceOfSatisfying(
                        ErrnoException.class,
                        failure -> assertThat(failure.errno()).isEqualTo(Errno.ENOTSUPP))
                .hasMessageContaining("RDMA_NLDEV_CMD_SYS_GET: ENOTSUPP (524)");
    }

    @Test
    void reportsSilence() {
        syscalls.expectSocket(16, 3, 20, 5)
                .expectNonBlocking(5)
                .expectWrite(5, Captured.SYSTEM_REQUEST)
                .expectRead(5, refused(Errno.EAGAIN))
                .expectClose(5);
        assertThatThrownBy(() -> RdmaSystem.query(syscalls.kernel(NOWHERE)))
                .hasMessageContaining("(reading the reply): EAGAIN");
        syscalls.assertAllConsumed();
    }

    @Test
    void reportsARefusedSocketAndWrite() {
        syscalls.expectSocket(16, 3, 20, refused(Errno.EPROTONOSUPPORT));
        assertThatThrownBy(() -> RdmaSystem.query(syscalls.kernel(NOWHERE)))
                .hasMessageContaining("socket NETLINK_RDMA: EPROTONOSUPPORT (93)");
        syscalls.expectSocket(16, 3, 20, 5)
                .expectNonBlocking(5)
                .expectWrite(5, refused(Errno.EPERM))
                .expectClose(5);
        assertThatThrownBy(() -> RdmaSystem.query(syscalls.kernel(NOWHERE))).hasMessageContaining("EPERM (1)");
        syscalls.assertAllConsumed();
    }
}
