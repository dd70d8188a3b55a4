// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;

/** Closed handles of soft-RoCE. */
@RequiresKernel
class VerbsUseAfterCloseKernelIT extends VerbsUseAfterCloseScenarios {
    @Override
    DeviceContext openContext() throws RdmaException {
        return DeviceContext.open(Rxe.DEVICE);
    }
}
