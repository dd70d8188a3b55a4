// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

/** The channels of this project. */
class StreamUnixTest extends UnixScenarios {
    StreamUnixTest() {
        super(new StreamProvider(Rules.parse("a test"), null));
    }
}
