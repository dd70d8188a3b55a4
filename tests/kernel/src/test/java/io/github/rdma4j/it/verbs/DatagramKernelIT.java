// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.Datagrams;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.verbs.attr.AhAttr;
import org.junit.jupiter.api.Test;

/** Datagrams of soft-RoCE. */
@RequiresKernel
class DatagramKernelIT extends DatagramScenarios {
    @Test
    void makesNoWayWithoutASourceAddress() {
        assertThatThrownBy(() -> datagrams().pd().createAh(AhAttr.to(Datagrams.gid(Rxe.IPV4), 200, Datagrams.PORT)))
                .isInstanceOf(ErrnoException.class);
        assertThatThrownBy(() -> datagrams().pd().createAh(AhAttr.NONE)).isInstanceOf(ErrnoException.class);
    }
}
