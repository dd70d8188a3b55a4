// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.irdma;

import io.github.rdma4j.internal.irdma.Elements;

/** Rings of generation 2, over RoCE. */
class ScribbledIrdmaRingsTest extends ScribbledIrdmaQueues {
    ScribbledIrdmaRingsTest() {
        super(IrdmaDriver.ROCE, Elements.QUANTUM);
    }
}
