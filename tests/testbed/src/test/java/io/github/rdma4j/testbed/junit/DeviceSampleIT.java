// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The sample of docs/testbed.md. */
@SoftRoce
class DeviceSampleIT {
    @Test
    void thePortIsActive(SoftRoceDevice device) throws IOException {
        Path state = Path.of("/sys/class/infiniband", device.name(), "ports/1/state");
        assertEquals("4: ACTIVE", Files.readString(state).strip());
    }
}
