// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ShortageTest {
    @ParameterizedTest
    @EnumSource
    void whatOneSideSaysTheOtherReads(Shortage shortage) {
        byte[] padded = Arrays.copyOf(shortage.encode(), 148);
        assertThat(Shortage.told(padded)).isEqualTo(shortage);
        assertThat(shortage.advice()).startsWith("the listener's side has no ");
    }

    @Test
    void otherDataSayNothing() {
        assertThat(Shortage.told(new byte[0])).isNull();
        assertThat(Shortage.told(new byte[148])).isNull();
        byte[] backlog = Shortage.MEMORY.encode();
        backlog[7] = 1;
        assertThat(Shortage.told(backlog)).isNull();
    }

    @Test
    void theErrorSaysWhatIsMissing() {
        assertThat(Shortage.of(new ErrnoException("a test", Errno.ENOMEM))).isEqualTo(Shortage.MEMORY);
        assertThat(Shortage.of(new RdmaException("why", new ErrnoException("a test", Errno.EMFILE))))
                .isEqualTo(Shortage.DESCRIPTORS);
        assertThat(Shortage.of(new ErrnoException("a test", Errno.ENOSPC))).isEqualTo(Shortage.DEVICE);
        assertThat(Shortage.of(new ErrnoException("a test", Errno.EINVAL))).isNull();
        assertThat(Shortage.of(null)).isNull();
    }

    @Test
    void aQueueOfTheDeviceThatIsFullIsAShortageToo() {
        ErrnoException full = new ErrnoException("a test", Errno.ENOBUFS);
        assertThat(Shortage.isCauseOf(new RdmaException("why", full))).isTrue();
        assertThat(Shortage.isCauseOf(new OutOfMemoryError())).isTrue();
        assertThat(Shortage.isCauseOf(new ErrnoException("a test", Errno.EINVAL)))
                .isFalse();
    }
}
