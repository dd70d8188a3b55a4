// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.testkit.ScriptedKernel;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class PostSendDoorbellTest {
    private static final int NUMBER = 7;

    @Test
    void keepsTheDescriptorFromCloseUntilTheQueueIsGone() {
        ScriptedKernel syscalls = new ScriptedKernel();
        Set<KernelFd.Hold> holds = ConcurrentHashMap.newKeySet();
        KernelFd device = KernelFd.adopt(syscalls.kernel(Path.of("nowhere")), NUMBER, "device");
        PostSendDoorbell doorbell = new PostSendDoorbell(device, 1, holds);
        device.close(); // a close(2) here is one that the script does not expect
        assertThatThrownBy(doorbell::ring).hasMessageContaining("is closed");
        assertThat(holds).hasSize(1);
        syscalls.expectClose(NUMBER);
        doorbell.retire();
        syscalls.assertAllConsumed();
        assertThat(holds).isEmpty();
    }
}
