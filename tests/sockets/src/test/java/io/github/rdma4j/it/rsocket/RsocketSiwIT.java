// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.rsocket;

import io.github.rdma4j.it.support.RequiresSiw;
import io.github.rdma4j.support.Nightly;
import org.junit.jupiter.api.Test;

/** Streams of bytes over soft-iWARP, where a message follows a write. */
@RequiresSiw
class RsocketSiwIT extends RsocketScenarios {
    @Nightly
    @Test
    @Override
    void manySmallWritesExceedTheCountOfSixteenBits() throws Exception {
        super.manySmallWritesExceedTheCountOfSixteenBits();
    }
}
