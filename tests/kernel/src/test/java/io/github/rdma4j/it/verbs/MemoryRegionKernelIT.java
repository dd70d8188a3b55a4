// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;

/** Memory regions of soft-RoCE. */
@RequiresKernel
class MemoryRegionKernelIT extends MemoryRegionScenarios {
    @Override
    DeviceContext openContext() throws RdmaException {
        return DeviceContext.open(Rxe.DEVICE);
    }

    @Override
    Ends connect() throws Exception {
        return Loopback.connected();
    }
}
