// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.*;
import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsMethods.UVERBS_METHOD_ADVISE_MR;
import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsObjects.UVERBS_OBJECT_MR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.internal.uverbs.MemoryCommands.AdviseMr;
import io.github.rdma4j.internal.uverbs.VerbsIoctl;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.testkit.ScriptedKernel;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class AdviseMrTest {
    private static final int FD = 7;
    private static final AdviseMr ADVICE =
            new AdviseMr(5, 1, 1, new AdviseMr.Range(0x7000_0000_1000L, 0x9000_0000, 0x123));

    private final ScriptedKernel kernel = new ScriptedKernel();
    private final KernelFd device = KernelFd.adopt(kernel.kernel(Path.of("/")), FD, "uverbs0");
    private final ControlPath control = new ControlPath(device, DriverIds.RDMA_DRIVER_MLX5);

    @Test
    void namesTheBytesOfTheRegion() throws ErrnoException {
        kernel.expectIoctl(FD, VerbsIoctl.RDMA_VERBS_IOCTL, address -> {
            IoctlFrame frame = new IoctlFrame(address);
            assertThat(frame.isWellFormed()).isTrue();
            assertThat(frame.object()).isEqualTo(UVERBS_OBJECT_MR);
            assertThat(frame.method()).isEqualTo(UVERBS_METHOD_ADVISE_MR);
            assertThat(frame.value(UVERBS_ATTR_ADVISE_MR_PD_HANDLE)).isEqualTo(5);
            assertThat(frame.input(UVERBS_ATTR_ADVISE_MR_ADVICE).getLong(0)).isEqualTo(1);
            assertThat(frame.input(UVERBS_ATTR_ADVISE_MR_FLAGS).getInt(0)).isEqualTo(1);
            ByteBuffer range = frame.input(UVERBS_ATTR_ADVISE_MR_SGE_LIST);
            assertThat(range.capacity()).isEqualTo(16);
            assertThat(range.getLong(0)).isEqualTo(0x7000_0000_1000L);
            assertThat(range.getInt(8)).isEqualTo(0x9000_0000);
            assertThat(range.getInt(12)).isEqualTo(0x123);
            return 0;
        });
        control.adviseMr(ADVICE);
        kernel.assertAllConsumed();
    }

    @Test
    void tellsWhatTheKernelRefuses() {
        kernel.expectIoctl(FD, VerbsIoctl.RDMA_VERBS_IOCTL, address -> ScriptedKernel.refused(Errno.EFAULT));
        assertThatThrownBy(() -> control.adviseMr(ADVICE))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("UVERBS_METHOD_ADVISE_MR")
                .hasMessageContaining("EFAULT");
    }
}
