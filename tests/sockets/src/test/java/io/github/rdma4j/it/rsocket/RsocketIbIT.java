// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.rsocket;

import io.github.rdma4j.it.support.RequiresIb;
import io.github.rdma4j.support.Nightly;
import org.junit.jupiter.api.Test;

/** Streams of bytes over InfiniBand, by the addresses of IP over InfiniBand. */
@RequiresIb
class RsocketIbIT extends RsocketScenarios {
    @Nightly
    @Test
    @Override
    void manySmallWritesExceedTheCountOfSixteenBits() throws Exception {
        super.manySmallWritesExceedTheCountOfSixteenBits();
    }
}
