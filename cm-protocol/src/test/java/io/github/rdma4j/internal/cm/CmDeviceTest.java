// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.cm;

import static io.github.rdma4j.testkit.ScriptedKernel.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.sysfs.DeviceNumber;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.support.Captured;
import io.github.rdma4j.support.SysfsTree;
import io.github.rdma4j.testkit.ScriptedKernel;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    private ScriptedKernel expectAnswer() {
        return syscalls.expectSocket(16, 3, 20, 5)
                .expectNonBlocking(5)
                .expectWrite(5, REQUEST)
                .expectRead(5, REPLY)
                .expectClose(5);
    }

    private static String failing(Errno errno) throws ErrnoException {
        throw new ErrnoException("open", errno);
    }

    @Test
    void asksOnceWhenTheNodeIsOpenedSeveralTimes() throws Exception {
        Kernel kernel = expectAnswer().kernel(root);
        String node = root.resolve("dev/infiniband/rdma_cm").toString();
        for (int i = 0; i < 3; i++) {
            String path = CmDevice.onNode(kernel, found -> found);
            assertThat(path).isEqualTo(node);
        }
        syscalls.assertAllConsumed();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 6, 19})
    void asksAgainWhenNoDeviceIsBehindTheNode(int errno) throws Exception {
        Kernel kernel = expectAnswer().kernel(root);
        CmDevice.onNode(kernel, path -> path);
        expectAnswer();
        assertThatThrownBy(() -> CmDevice.onNode(kernel, path -> failing(new Errno(errno))))
                .isInstanceOf(ErrnoException.class);
        syscalls.assertAllConsumed();
    }

    @Test
    void doesNotAskAgainWhenOpeningTheNodeIsNotPermitted() throws Exception {
        Kernel kernel = expectAnswer().kernel(root);
        CmDevice.onNode(kernel, path -> path);
        assertThatThrownBy(() -> CmDevice.onNode(kernel, path -> failing(Errno.EACCES)))
                .hasMessageContaining("EACCES");
        syscalls.assertAllConsumed();
    }

    @ParameterizedTest
    @ValueSource(ints = {12, 23, 24, 105})
    void doesNotTakeTheWordOfSysfsWhenThereWasNoSocketToAskWith(int errno) throws Exception {
        new SysfsTree(root).with("class/misc/rdma_cm/dev", "10:260").with("class/misc/rdma_cm/abi_version", "4");
        syscalls.expectSocket(16, 3, 20, -errno);
        assertThatThrownBy(() -> CmDevice.locate(syscalls.kernel(root)))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("socket NETLINK_RDMA");
    }
}
