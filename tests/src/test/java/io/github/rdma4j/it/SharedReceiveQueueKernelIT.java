// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Receives of soft-RoCE that several queue pairs take from, over both transports. */
@RequiresKernel
@ParameterizedClass
@ValueSource(strings = {"ioctl", "write"})
class SharedReceiveQueueKernelIT extends SharedReceiveQueueScenarios {
    @Parameter
    private String transport = "";

    @Override
    Datagrams openDevice() throws Exception {
        Datagrams device = Transport.with(transport, Datagrams::open);
        assertThat(device.context().transport()).isEqualTo(transport);
        return device;
    }
}
