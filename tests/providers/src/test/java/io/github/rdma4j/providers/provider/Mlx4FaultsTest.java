// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.connectx.Segments.Codes;
import io.github.rdma4j.internal.mlx4.Cqe.CqeBytes;
import io.github.rdma4j.internal.mlx4.Cqe.CqeCodes;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.providers.kernel.Mlx4Settings;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A ConnectX-3, and its kernel, that lack something, fail or go away; completions that mean nothing; resized queues. */
@Timeout(60)
class Mlx4FaultsTest {
    private static final int SEND = CqeCodes.MLX4_CQE_IS_SEND_MASK;
    private static final int ERROR = CqeCodes.MLX4_CQE_OPCODE_ERROR;

    // ---- what a kernel may lack or refuse

    @Test
    void opensNoDeviceWithCompletionsOfAnotherSize() {
        CardKernel kernel = new CardKernel(new Mlx4Settings().entryBytes(128));
        assertThatThrownBy(kernel::openDevice)
                .isInstanceOf(UnsupportedByKernelException.class)
                .hasMessageContaining("completions of 128 bytes");
        kernel.assertClean();
    }

    @Test
    void takesAQueuePairThatReceivesNothing() throws Exception {
        CardKernel kernel = new CardKernel(new Mlx4Settings());
        try (DeviceContext context = kernel.openDevice();
                ProtectionDomain pd = context.allocatePd()) {
            pd.createQp(QueuePairOptions.builder()
                    .cq(context.createCq(1))
                    .maxReceiveWr(0)
                    .build());
        }
        kernel.assertClean();
    }

    // ---- completions that mean nothing

    private static ByteBuffer entry(int qpn, long operation, int index) {
        return ByteBuffer.allocate(CqeBytes.BYTES)
                .putInt(CqeBytes.VLAN_MY_QPN, qpn)
                .putShort(CqeBytes.WQE_INDEX, (short) index)
                .put(CqeBytes.OWNER_SR_OPCODE, (byte) operation);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 100, 0x7f_ffff, 0x80_0000, 0xff_ffff})
    void passesOverCompletionsOfNoQueue(int qpn) throws Exception {
        try (CardPair pair = new CardPair(new Mlx4Settings())) {
            pair.assertIgnored(
                    operation -> entry(qpn, operation, 0), 0, 1, 2, 3, ERROR, SEND | Codes.OPCODE_SEND, SEND | ERROR);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 0x7fff, 0xffff})
    void passesOverCompletionsOfWhatWasNeverPosted(int index) throws Exception {
        try (CardPair pair = new CardPair(new Mlx4Settings())) {
            int qpn = pair.client().qpn();
            pair.assertIgnored(
                    operation -> entry(qpn, operation, index), 1, ERROR, SEND | Codes.OPCODE_SEND, SEND | ERROR);
        }
    }

    // ---- resized queues

    @Test
    void refusesAQueueThatIsTooSmallForWhatItHolds() throws Exception {
        try (CardPair pair = new CardPair(new Mlx4Settings())) {
            for (int i = 0; i < 10; i++) {
                pair.client().postSend(pair.write(i));
                pair.settle();
            }
            assertThatThrownBy(() -> pair.cq().resize(6))
                    .isInstanceOfSatisfying(
                            ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                    .hasMessageContaining("10 completions");
            for (int i = 0; i < 10; i++) {
                assertThat(pair.poll().wrId()).isEqualTo(i);
            }
        }
    }
}
