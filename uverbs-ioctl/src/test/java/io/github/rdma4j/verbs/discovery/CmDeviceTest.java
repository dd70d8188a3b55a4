// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.discovery;

import static io.github.rdma4j.kernel.syscall.ScriptedKernel.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.syscall.ScriptedKernel;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CmDeviceTest {
    private static final byte[] REQUEST = Captured.hex("""
            1c000000 0f14 0100 01000000 00000000
            0c00 4500 72646d615f636d00
            """);
    private static final byte[] REPLY = Captured.hex("""
            34000000 0f14 0000 01000000 00000000
            0c00 4800 7c0a000000000000
            0c00 4700 0400000000000000
            0c00 4600 72646d615f636d00
            """);

    private final ScriptedKernel syscalls = new ScriptedKernel();

    @TempDir
    Path root;

    @Test
    void asksNetlinkWhichLoadsTheModule() throws Exception {
        syscalls.expectSocket(16, 3, 20, 5)
                .expectNonBlocking(5)
                .expectWrite(5, REQUEST)
                .expectRead(5, REPLY)
                .expectClose(5);
        assertThat(CmDevice.locate(syscalls.kernel(root)))
                .isEqualTo(new CmDevice(root.resolve("dev/infiniband/rdma_cm"), DeviceNumber.of(10, 124), 4));
        syscalls.assertAllConsumed();
    }

    @Test
    void readsSysfsWhereNetlinkDoesNotAnswer() throws Exception {
        new SysfsTree(root).with("class/misc/rdma_cm/dev", "10:260").with("class/misc/rdma_cm/abi_version", "4");
        syscalls.expectSocket(16, 3, 20, 5)
                .expectNonBlocking(5)
                .expectWrite(5, REQUEST)
                .expectRead(5, Captured.error(1, 22))
                .expectClose(5);
        CmDevice device = CmDevice.locate(syscalls.kernel(root));
        assertThat(DeviceNumber.text(device.characterDevice())).isEqualTo("10:260");
        assertThat(device.abi()).isEqualTo(4);
        syscalls.assertAllConsumed();
    }

    @Test
    void saysHowToLoadTheModule() {
        syscalls.expectSocket(16, 3, 20, refused(Errno.EPROTONOSUPPORT));
        assertThatThrownBy(() -> CmDevice.locate(syscalls.kernel(root)))
                .isInstanceOfSatisfying(
                        ErrnoException.class,
                        failure -> assertThat(failure.errno()).isEqualTo(Errno.ENODEV))
                .hasMessageContaining("modprobe rdma_ucm");
    }
}
