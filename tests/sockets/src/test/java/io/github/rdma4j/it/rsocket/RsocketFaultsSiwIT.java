// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.rsocket;

import io.github.rdma4j.it.support.RequiresSiw;
import io.github.rdma4j.support.Nightly;

/** Faults of streams on soft-iWARP. */
@Nightly
@RequiresSiw
class RsocketFaultsSiwIT extends RsocketFaultScenarios {
    @Override
    String deviceType() {
        return "siw";
    }
}
