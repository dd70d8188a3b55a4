// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class MulticastAttributesTest {
    private static final InetSocketAddress GROUP = new InetSocketAddress("239.1.2.3", 0);

    @ParameterizedTest
    @EnumSource
    void carriesAddressAndMode(MulticastMode mode) throws Exception {
        MulticastAttributes attributes = MulticastAttributes.of(GROUP, mode);
        assertThat(attributes.compMask()).isEqualTo(3);
        assertThat(attributes.requireAddress()).isEqualTo(GROUP);
        assertThat(attributes.requireMode()).isEqualTo(mode);
    }

    /** In the order of the C library, whose numbers these are: 95 is ENOTSUP, 22 EINVAL. */
    @ParameterizedTest
    @CsvSource({
        "4, 0, 95",
        "7, 0, 95",
        "-1, 9, 95",
        "0, 0, 22",
        "2, 0, 22",
        "1, 0, 22",
        "3, 2, 22",
        "3, -1, 22",
    })
    void refusesWhatTheCLibraryRefuses(int mask, int flags, int errno) {
        MulticastAttributes attributes = new MulticastAttributes(mask, flags, GROUP);
        assertThatThrownBy(attributes::requireAddress)
                .isInstanceOfSatisfying(
                        ErrnoException.class,
                        e -> assertThat(e.errno().number()).isEqualTo(errno));
    }

    @Test
    void refusesAnAddressThatIsNone() {
        MulticastAttributes attributes = new MulticastAttributes(3, 0, null);
        assertThatThrownBy(attributes::requireAddress)
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining("there is none");
    }
}
