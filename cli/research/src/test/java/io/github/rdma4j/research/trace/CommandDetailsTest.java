// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.IbSocketAddress;
import io.github.rdma4j.verbs.attr.Gid;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Both ways to record show an address alike. */
class CommandDetailsTest {
    @ParameterizedTest
    @CsvSource({"10.77.0.2, 10.77.0.2 port 7471", "::1, 0:0:0:0:0:0:0:1 port 7471"})
    void addressesOfTheFlightRecorderLookLikeThoseOfCalls(String host, String shown) {
        assertThat(CommandDetails.text(new InetSocketAddress(host, 7471).toString()))
                .isEqualTo(shown);
    }

    @Test
    void otherAddressesStayAsTheyAre() {
        String infiniBand = new IbSocketAddress(0xffff, new Gid(1, 2), 0x106_1d2f, -1, 0).toString();
        assertThat(CommandDetails.text(infiniBand)).isEqualTo(infiniBand);
    }
}
