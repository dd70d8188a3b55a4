// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

/** The selectors of this project. */
class StreamSelectorTest extends SelectorScenarios {
    StreamSelectorTest() {
        super(new StreamProvider(Rules.parse("a test", "tcp *"), null), Pair.loopback());
    }
}
