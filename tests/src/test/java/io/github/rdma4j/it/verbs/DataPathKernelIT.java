// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Transport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The data path of soft-RoCE, over both transports. */
@RequiresKernel
@ParameterizedClass
@ValueSource(strings = {"ioctl", "write"})
class DataPathKernelIT extends DataPathScenarios {
    @Parameter
    private String transport = "";

    @Override
    Ends connect(UnaryOperator<Loopback.Setup> change) throws Exception {
        Loopback loopback =
                Transport.with(transport, () -> change.apply(Loopback.setup()).connect());
        assertThat(loopback.client().context().transport()).isEqualTo(transport);
        return loopback;
    }
}
