// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

/** The channels of this project. */
class StreamEndTest extends EndScenarios {
    StreamEndTest() {
        super(new StreamProvider(Rules.parse("a test", "tcp *"), null), Pair.loopback());
    }
}
