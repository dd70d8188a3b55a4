// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.GidEntry;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The addresses that are made of the GID; {@code NeighboursKernelIT} has the others. */
class HardwareAddressesTest {
    @ParameterizedTest
    @CsvSource({
        // An IPv4 group loses all but 23 bits.
        "0000:0000:0000:0000:0000:ffff:e181:0203, ROCE_V2, 01005e010203",
        "0000:0000:0000:0000:0000:ffff:efff:ffff, ROCE_V1, 01005e7fffff",
        "ff0e:0000:0000:0000:0000:ffff:e001:0203, ROCE_V2, 3333e0010203",
        "ff12:401b:8001:0000:0000:0000:0000:0001, ROCE_V1, 333300000001",
        "fe80:0000:0000:0000:b4d2:24ff:fe16:98a4, ROCE_V1, b6d2241698a4",
        "fe80:0000:0000:0000:0011:22ff:fe33:4455, ROCE_V1, 021122334455",
    })
    void areMadeOfTheGid(String gid, GidEntry.Type source, String mac) throws Exception {
        GidEntry from = new GidEntry(new Gid(1, 1), 0, 1, source.code(), 1);
        assertThat(HexFormat.of().formatHex(HardwareAddresses.of(Kernel.running(), Gid.parse(gid), from)))
                .isEqualTo(mac);
    }
}
