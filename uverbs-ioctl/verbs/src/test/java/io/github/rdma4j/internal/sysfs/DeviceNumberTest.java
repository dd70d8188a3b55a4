// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.sysfs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceNumberTest {
    @ParameterizedTest
    @CsvSource({"231, 192, 0xe7c0", "10, 124, 0x0a7c", "10, 260, 0x100a04", "4095, 1048575, 0xffffffff", "1, 3, 0x103"})
    void splitsMajorAndMinor(int major, int minor, String device) {
        assertThat(DeviceNumber.of(major, minor)).isEqualTo(Long.decode(device));
        assertThat(DeviceNumber.major(Long.decode(device))).isEqualTo(major);
        assertThat(DeviceNumber.minor(Long.decode(device))).isEqualTo(minor);
    }

    @Test
    void printsTheFormOfSysfs() {
        assertThat(DeviceNumber.text(0xe7c0)).isEqualTo("231:192");
    }
}
