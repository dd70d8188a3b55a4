// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** How a test reaches the second node; docs/testbed.md has the same class as a sample. */
@SoftRoce(nodes = 2)
class SecondNodeSampleIT {
    @Test
    void rpingOfTheFirstNodeReachesTheSecond() throws Exception {
        Process server = start("testbed-node 2 -- rping -s -C 3");
        Process client = start("until rping -c -C 3 -S 40 -a 10.77.0.2; do sleep 0.1; done");
        assertEquals(0, client.waitFor());
        assertEquals(0, server.waitFor());
    }

    private static Process start(String command) throws Exception {
        return new ProcessBuilder("sh", "-c", command).inheritIO().start();
    }
}
