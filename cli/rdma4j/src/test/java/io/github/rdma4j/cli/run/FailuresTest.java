// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailuresTest {
    @Test
    void isOneLine() {
        assertThat(Failures.text(new IllegalStateException("a\n  b\r\nc"))).isEqualTo("a b c");
    }

    @Test
    void namesTheKindWhereThereIsNoMessage() {
        assertThat(Failures.text(new IllegalStateException())).contains("IllegalStateException");
    }

    @Test
    void saysWhatToGiveMoreOf() {
        assertThat(Failures.text(new OutOfMemoryError("Cannot reserve 16 bytes of direct buffer memory")))
                .contains("out of memory", "Cannot reserve 16 bytes", "MaxDirectMemorySize");
    }
}
