// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.fd;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.Errno;
import org.junit.jupiter.api.Test;

class NodeAdviceTest {
    private static final String NODE = "/dev/infiniband/rdma_cm";

    private static String advice(Errno errno) {
        return NodeAdvice.forOpen(errno, NODE, "rdma_ucm");
    }

    @Test
    void namesTheModuleAndTheContainerOptionOfAMissingNode() {
        assertThat(advice(Errno.ENOENT)).contains("modprobe rdma_ucm", "docker run --device=" + NODE);
    }

    @Test
    void saysHowToPermitAnotherUser() {
        assertThat(advice(Errno.EACCES)).contains("chmod a+rw " + NODE, "udev", "docker run --device=" + NODE);
        assertThat(advice(Errno.EPERM)).isEqualTo(advice(Errno.EACCES));
    }

    @Test
    void tellsANodeWithoutADriver() {
        assertThat(advice(Errno.ENXIO))
                .contains("no driver", "modprobe rdma_ucm")
                .doesNotContain("docker");
        assertThat(advice(Errno.ENODEV)).isEqualTo(advice(Errno.ENXIO));
    }

    @Test
    void hasNoneForOtherErrors() {
        assertThat(advice(Errno.ENOMEM)).isEmpty();
    }
}
