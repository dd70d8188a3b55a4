// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class AddressesTest {
    private final ErrnoException noDevice = new ErrnoException("RDMA_USER_CM_CMD_RESOLVE_ROUTE", Errno.ENODEV);

    @Test
    void saysThatNoDeviceHasALoopbackAddress() {
        RdmaException explained =
                Addresses.explain(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), noDevice);
        assertThat(explained).hasMessageContaining("loopback address 127.0.0.1").hasCause(noDevice);
    }

    @Test
    void leavesOtherFailuresAlone() {
        assertThat(Addresses.explain(new InetSocketAddress("10.77.0.1", 1), noDevice))
                .isSameAs(noDevice);
        assertThat(Addresses.explain(null, noDevice)).isSameAs(noDevice);
        RdmaException other = new RdmaException("REJECTED");
        assertThat(Addresses.explain(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), other))
                .isSameAs(other);
    }

    @Test
    void namesAHostThatHasNoAddressOnce() {
        assertThat(Addresses.unknown("-s", "h", new UnknownHostException("h: Name or service not known")))
                .hasMessage("-s h: Name or service not known");
        assertThat(Addresses.unknown("-s", "h", new UnknownHostException("h")))
                .hasMessage("-s h: the name is not known here");
        assertThat(Addresses.unknown("-s", "h", new UnknownHostException("h has no address of the family INET6")))
                .hasMessage("-s h: h has no address of the family INET6");
    }
}
