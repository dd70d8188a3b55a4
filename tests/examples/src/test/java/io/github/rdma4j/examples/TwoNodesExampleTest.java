// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Nightly;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the example of the testbed, and with it the code in the Javadoc of its types. It boots its guests itself. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TwoNodesExampleTest {
    @Nightly
    @Test
    void twoNodes(@TempDir Path directory) throws Exception {
        assertThat(TwoNodes.run(directory)).isGreaterThan(4);
        assertThat(directory.resolve("wire.pcap")).isNotEmptyFile();
    }
}
