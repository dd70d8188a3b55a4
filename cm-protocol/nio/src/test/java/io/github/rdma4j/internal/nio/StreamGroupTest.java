// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

/** The channels of this project. */
class StreamGroupTest extends GroupScenarios {
    StreamGroupTest() {
        super(new StreamProvider(Rules.parse("a test"), null));
    }
}
