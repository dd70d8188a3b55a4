// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

class ThrowablesTest {
    private static final class NotSerializable extends AssertionError {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings({"serial", "unused"})
        private final Object held = new Object();
    }

    @Test
    void theStandInOfAnAssertionWithoutMessageOrValuesHasNeither() {
        AssertionError original = new NotSerializable();
        assertThat(Throwables.of(Throwables.forms(original)))
                .isInstanceOf(AssertionError.class)
                .isNotInstanceOf(AssertionFailedError.class)
                .hasMessage(null)
                .hasToString(original.toString());
    }
}
