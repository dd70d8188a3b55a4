// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.testbed.image.KernelImage;
import io.github.rdma4j.testbed.image.KernelRelease;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Nightly
class OrdinaryUserIT {
    /** With neither root nor /usr/sbin in the PATH, from the download of the kernel to a command in the guest. */
    @Test
    void theFirstUseNeedsNoMoreThanDebianGivesToItsUsers(@TempDir Path home) throws Exception {
        OrdinaryUser user = OrdinaryUser.in(home);

        OrdinaryUser.Outcome outcome = user.launch("testbed", "run", "--", "sh", "-c", "echo $RDMA4J_GUEST; id -u");

        assertThat(outcome.status()).as(outcome.errors()).isZero();
        assertThat(outcome.output()).isEqualTo("1\n0\n");
        assertThat(home.resolve(".cache/rdma4j")
                        .resolve(KernelImage.entryName(KernelRelease.DEFAULT))
                        .resolve("lib/modules"))
                .isNotEmptyDirectory();
    }
}
