// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.support.Program;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our mckey and C mckey on soft-RoCE. */
@RequiresKernel
class MckeyInteropIT extends MckeyInteropScenarios {
    @Override
    String group() {
        return "::ffff:239.77.6.1 mlid 0x0 sl 0";
    }

    @ParameterizedTest
    @ValueSource(strings = {"-m ff0e::7706 -b fd77::1", "-M ff12:401b:ffff::1 -b 10.77.0.1"})
    void explainsWhatTheDeviceCannotJoin(String group) throws Exception {
        assertThat(java(group).end(1))
                .contains("524")
                .contains("only IPv4 groups")
                .contains("return status 1");
        try (Program theirs = mckey(group)) {
            assertThat(theirs.status()).isNotZero();
            assertThat(theirs.output()).contains("failure joining: Unknown error 524");
        }
    }

    /** soft-RoCE keeps no messages from receivers on the same device, and refuses a queue pair that asks for it. */
    @Test
    void isRefusedLikeTheCProgramWithoutLoopback() throws Exception {
        String line = "-b 10.77.0.1 -s -l -d 0 -m " + GROUP;
        assertThat(java(line).end(1)).contains("EOPNOTSUPP");
        try (Program theirs = mckey("-b 10.77.0.1 -s -l -m " + GROUP)) {
            assertThat(theirs.status()).isNotZero();
            assertThat(theirs.output()).contains("unable to create QP: Operation not supported");
        }
    }

    @Test
    void sendsOnePacketAndNoMore() throws Exception {
        assertThat(java("-b 10.77.0.1 -s -d 0 -S 1025 -m " + GROUP).end(1)).contains("one packet");
    }
}
