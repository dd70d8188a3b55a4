// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

/** The channels of this project. */
class StreamDatagramTest extends DatagramScenarios {
    StreamDatagramTest() {
        super(new StreamProvider(Rules.parse("a test"), null));
    }
}
