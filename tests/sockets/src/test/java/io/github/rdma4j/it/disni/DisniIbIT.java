// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.disni;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresIb;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Program;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Endpoint groups of DiSNI over InfiniBand, by the addresses of IP over InfiniBand. */
@RequiresIb
class DisniIbIT {
    @ParameterizedTest
    @ValueSource(strings = {"passive", "active"})
    void endpointsExchangeMessages(String group) throws Exception {
        String port = Integer.toString(Rxe.newPort());
        assertThat(DisniProgramsKernelIT.lines(Program.java(EchoGroups.class, group, Rxe.IPV4, port, "20")))
                .last()
                .isEqualTo("20 connections");
    }
}
