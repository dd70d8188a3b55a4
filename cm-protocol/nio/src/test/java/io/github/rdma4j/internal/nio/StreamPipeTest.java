// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

/** The pipes of this project. */
class StreamPipeTest extends PipeScenarios {
    StreamPipeTest() {
        super(new StreamProvider(Rules.parse("a test", "tcp *"), null));
    }
}
