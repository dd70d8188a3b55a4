// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.it.support.Transport;
import io.github.rdma4j.verbs.DeviceContext;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Queues of soft-RoCE, over both transports. */
@RequiresKernel
@ParameterizedClass
@ValueSource(strings = {"ioctl", "write"})
class QueueCreationKernelIT extends QueueCreationScenarios {
    @Parameter
    private String transport = "";

    @Override
    DeviceContext openContext() throws Exception {
        return Transport.with(transport, () -> DeviceContext.open(Rxe.DEVICE));
    }

    @Override
    void assertRefused(ThrowingCall call) {
        assertInvalid(call);
    }
}
