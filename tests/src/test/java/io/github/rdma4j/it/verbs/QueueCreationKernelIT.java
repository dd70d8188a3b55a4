// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.verbs.DeviceContext;

/** Queues of soft-RoCE. */
@RequiresKernel
class QueueCreationKernelIT extends QueueCreationScenarios {
    @Override
    DeviceContext openContext() throws Exception {
        return DeviceContext.open(Rxe.DEVICE);
    }

    @Override
    void assertRefused(ThrowingCall call) {
        assertInvalid(call);
    }
}
