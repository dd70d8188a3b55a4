// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a test is given that asks for its device: the constructor, and a method. */
@SoftRoce
class DeviceParameterIT {
    private final SoftRoceDevice given;

    DeviceParameterIT(SoftRoceDevice device) {
        given = device;
    }

    @Test
    void isTheDeviceOfTheGuestWithItsAddress(SoftRoceDevice device) {
        assertThat(device.name()).isEqualTo("rxe0");
        assertThat(device.address().getHostAddress()).isEqualTo("10.77.0.1");
        assertThat(device).isEqualTo(given);
    }
}
