// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.testkit.ScriptedKernel;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.RdmaDevices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kernels without the module, without the nodes, and with nodes that may not be opened. */
class NoConnectionManagerTest {
    @TempDir
    private Path root;

    private final ScriptedKernel calls = new ScriptedKernel();

    /** A kernel that does not let a process ask RDMA netlink. */
    private Kernel kernel() {
        calls.expectSocket(
                Syscalls.AF_NETLINK,
                Syscalls.SOCK_RAW,
                Syscalls.NETLINK_RDMA,
                ScriptedKernel.refused(Errno.EPROTONOSUPPORT));
        return calls.kernel(root);
    }

    private void loadModule() throws IOException {
        Path sysfs = Files.createDirectories(root.resolve("sys/class/misc/rdma_cm"));
        Files.writeString(sysfs.resolve("dev"), "10:124\n");
        Files.writeString(sysfs.resolve("abi_version"), "4\n");
    }

    private Path node() {
        return root.resolve("dev/infiniband/rdma_cm");
    }

    @Test
    void tellsWhichModuleToLoad() {
        Kernel kernel = kernel();
        assertThatThrownBy(() -> EventChannel.open(kernel))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENODEV))
                .hasMessageContaining("modprobe rdma_ucm");
        calls.assertAllConsumed();
    }

    @ParameterizedTest
    @CsvSource({"2, ENOENT, --device=NODE", "13, EACCES, chmod a+rw NODE", "6, ENXIO, modprobe rdma_ucm"})
    void tellsWhatHelpsANodeThatDoesNotOpen(int number, String error, String advice) throws Exception {
        loadModule();
        Kernel kernel = kernel();
        calls.expectOpen(node().toString(), ScriptedKernel.refused(new Errno(number)));

        assertThatThrownBy(() -> EventChannel.open(kernel))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining(error)
                .hasMessageContaining(advice.replace("NODE", node().toString()));
        calls.assertAllConsumed();
    }

    @Test
    void listsNoDeviceWithoutAnyModule() throws Exception {
        assertThat(RdmaDevices.list(kernel())).isEmpty();
        calls.assertAllConsumed();
    }

    @Test
    void tellsHowToMakeADevice() {
        Kernel kernel = kernel();
        assertThatThrownBy(() -> DeviceContext.open(kernel, RdmaDevices.find(kernel, "rxe0")))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENODEV))
                .hasMessageContaining("rdma link add rxe0 type rxe");
        calls.assertAllConsumed();
    }
}
