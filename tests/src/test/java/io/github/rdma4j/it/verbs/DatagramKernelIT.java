// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.Datagrams;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.it.support.Transport;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.verbs.attr.AhAttr;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams of soft-RoCE, over both transports. */
@RequiresKernel
@ParameterizedClass
@ValueSource(strings = {"ioctl", "write"})
class DatagramKernelIT extends DatagramScenarios {
    @Parameter
    private String transport = "";

    @Override
    Datagrams openDevice() throws Exception {
        Datagrams device = Transport.with(transport, Datagrams::open);
        assertThat(device.context().transport()).isEqualTo(transport);
        return device;
    }

    @Test
    void makesNoWayWithoutASourceAddress() {
        assertThatThrownBy(() -> datagrams().pd().createAh(AhAttr.to(Datagrams.gid(Rxe.IPV4), 200, Datagrams.PORT)))
                .isInstanceOf(ErrnoException.class);
        assertThatThrownBy(() -> datagrams().pd().createAh(AhAttr.NONE)).isInstanceOf(ErrnoException.class);
    }
}
