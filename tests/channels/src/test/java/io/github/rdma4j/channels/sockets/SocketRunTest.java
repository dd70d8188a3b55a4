// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.channels.Comparison;
import io.github.rdma4j.support.NewSeed;
import java.net.InetAddress;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random programs see the same over the JDK's plain sockets and over those of this project, both over TCP. */
class SocketRunTest {
    private static final int PROGRAMS = 15;

    private final InetAddress host = InetAddress.getLoopbackAddress();

    @Test
    void programsShowNoDifferenceOverTcp() throws InterruptedException {
        long seed = NewSeed.of("SocketRunTest");
        Random random = new Random(seed);
        Comparison<Ends> comparison =
                new Comparison<>(Ends.tcp(host), List.of(Ends.ours("ours over TCP", host, "tcp *")));
        for (int i = 0; i < PROGRAMS; i++) {
            SocketProgram program = SocketProgram.draw(random);
            assertThat(comparison.verdict(program).difference())
                    .as("seed %d, program %d: %s", seed, i, program)
                    .isNull();
        }
    }

    @Test
    void aSocketThatGoesAnotherWayEndsTheRun() {
        SocketProgram program = SocketProgram.draw(new Random(1));
        Comparison<Ends> comparison = new Comparison<>(Ends.tcp(host), List.of(Ends.ours("RDMA", host, "tcp *")));
        assertThatThrownBy(() -> comparison.verdict(program))
                .isInstanceOf(AssertionError.class)
                .hasMessageEndingWith("does not go over RDMA");
    }
}
