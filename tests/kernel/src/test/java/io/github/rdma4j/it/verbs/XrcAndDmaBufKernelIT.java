// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.XrcDomain;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the kernel says of XRC and of dma-bufs on soft-RoCE, which has neither. */
@RequiresKernel
class XrcAndDmaBufKernelIT {
    private static final Set<Access> RIGHTS = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ);

    @TempDir
    Path directory;

    private DeviceContext context;
    private ProtectionDomain pd;

    @BeforeEach
    void open() throws Exception {
        context = DeviceContext.open(Rxe.DEVICE);
        pd = context.allocatePd();
    }

    @AfterEach
    void close() throws Exception {
        context.close();
    }

    private static void assertRefused(Errno errno, String command, String advice, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageContaining(command)
                .hasMessageContaining(advice);
    }

    @Test
    void theKernelRefusesADomain() {
        assertRefused(
                Errno.EOPNOTSUPP, "IB_USER_VERBS_CMD_OPEN_XRCD", "does not support XRC", () -> XrcDomain.open(context));
    }

    @ParameterizedTest
    @EnumSource
    void theKernelRefusesTheDomainOfAFile(XrcDomain.Opening opening) throws Exception {
        Path file = Files.createFile(directory.resolve("domain"));
        assertRefused(
                Errno.EOPNOTSUPP,
                "IB_USER_VERBS_CMD_OPEN_XRCD",
                "does not support XRC",
                () -> XrcDomain.open(context, file, opening));
    }

    @Test
    void anInitiatorIsRefused() throws Exception {
        CompletionQueue cq = context.createCq(1);
        QueuePairOptions options = QueuePairOptions.builder()
                .type(QueuePairType.XRC_INI)
                .sendCq(cq)
                .build();
        assertRefused(
                Errno.EOPNOTSUPP,
                "CREATE_QP of type XRC_INI on " + Rxe.DEVICE,
                "does not support XRC",
                () -> pd.createQp(options));
    }

    /** The driver is asked before the descriptor is looked at. */
    @Test
    void aDmaBufIsRefused() throws Exception {
        try (KernelFd other = KernelFd.open(Kernel.running(), "/dev/null")) {
            int number = other.use(descriptor -> descriptor);
            assertRefused(
                    Errno.EOPNOTSUPP,
                    "UVERBS_METHOD_REG_DMABUF_MR of descriptor " + number + " on " + Rxe.DEVICE,
                    "does not support dma-bufs",
                    () -> pd.registerDmabufMr(number, 0, 4096, 0, RIGHTS));
        }
    }
}
