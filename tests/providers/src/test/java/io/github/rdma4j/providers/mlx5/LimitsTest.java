// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.mlx5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.mlx5.Mlx5Abi.AllocUcontextResp;
import io.github.rdma4j.internal.mlx5.Mlx5Provider;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.providers.script.PlayedRings;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a ConnectX does not take is refused before the kernel is asked, and says what it takes. */
class LimitsTest extends PlayedRings {
    private static final Mlx5Mode ROCE = Mlx5Mode.ROCE;
    private static final Created.Pd DOMAIN = new Created.Pd(1, ByteBuffer.allocate(0));

    private final Mlx5ScriptDevice device = new Mlx5ScriptDevice(ROCE);

    private DriverContext open(ByteBuffer reply) throws RdmaException {
        return new Mlx5Provider().context(device).finish(reply);
    }

    @ParameterizedTest
    @CsvSource({
        "qp Q rc A A - 8192 32768 1 1 0 1, 8192 32768 1 1 60",
        "qp Q ud A A - 1 1 59 32 940 0, 1 1 59 32 940",
        "qp Q rc A A - 0 0 0 0 0 0, 0 0 0 0 0"
    })
    void takesTheLargestAndTheSmallest(String line, String granted) throws RdmaException {
        open(ROCE, "cq A 10", line);

        assertThat(out()).contains("  granted " + granted);
    }

    @Test
    void aQueuePairWithoutQueuesIsFull() throws RdmaException {
        open(ROCE, "cq A 10", "qp Q rc A A - 0 0 0 0 0 0", "send Q 1 send s 0 0 0 0 0 - 0 0", "recv Q 1");

        assertThat(out()).contains("  posted 0 of 1", "  full");
    }

    @Test
    void refusesCompletionsOfAnUnknownVersion() {
        ByteBuffer reply = device.contextReply().put(AllocUcontextResp.CQE_VERSION, (byte) 2);

        assertThatThrownBy(() -> open(reply))
                .isInstanceOf(UnsupportedByKernelException.class)
                .hasMessageContaining("version 2");
    }

    @Test
    void refusesAContextWithoutSizes() {
        ByteBuffer reply = device.contextReply().putInt(AllocUcontextResp.MAX_SEND_WQEBB, 0);

        assertThatThrownBy(() -> open(reply)).isInstanceOf(MalformedReplyException.class);
    }

    @Test
    void datagramsOverEthernetNeedTheMacOfThePeer() throws RdmaException {
        DriverContext context = open(device.contextReply().put(AllocUcontextResp.CMDS_SUPP_UHW, (byte) 0));

        assertThatThrownBy(() -> context.addressHandle(DOMAIN, AhAttr.to(new Gid(0, 1), 0, 1)))
                .isInstanceOf(UnsupportedByKernelException.class)
                .hasMessageContaining("Linux 4.10");
    }
}
