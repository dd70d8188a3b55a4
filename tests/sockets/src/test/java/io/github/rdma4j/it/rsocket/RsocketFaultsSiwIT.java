// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.rsocket;

import io.github.rdma4j.it.support.RequiresSiw;

/** Faults of streams on soft-iWARP. */
@RequiresSiw
class RsocketFaultsSiwIT extends RsocketFaultScenarios {
    @Override
    String deviceType() {
        return "siw";
    }
}
