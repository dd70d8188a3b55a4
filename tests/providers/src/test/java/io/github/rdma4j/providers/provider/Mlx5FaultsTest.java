// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.providers.kernel.Mlx5Settings;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels and devices of ConnectX that lack something, and completions that mean nothing. */
class Mlx5FaultsTest {
    // ---- what a kernel or device may lack

    @Test
    void movesDataWithoutWriteCombining() throws Exception {
        try (CardPair pair = new CardPair(new Mlx5Settings().withoutWriteCombining())) {
            for (int i = 0; i < 100; i++) {
                pair.buffer().putInt(0, i);
                pair.client().postSend(pair.write(i));
                pair.settle();
                assertThat(pair.poll().wrId()).isEqualTo(i);
                assertThat(pair.buffer().getInt(64)).isEqualTo(i);
            }
        }
    }

    @Test
    void makesNoQueuesForADriverOfAnotherAbi() {
        CardKernel kernel = new CardKernel(new Mlx5Settings().driverAbi(2));
        assertThatThrownBy(() -> {
                    try (DeviceContext context = kernel.openDevice()) {
                        context.createCq(1);
                    }
                })
                .isInstanceOf(RdmaException.class);
        kernel.assertClean();
    }

    @Test
    void saysThatThereAreNoDoorbellPagesLeft() {
        CardKernel kernel = new CardKernel(new Mlx5Settings().uars(0));
        assertThatThrownBy(() -> kernel.openDevice())
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
        kernel.assertClean();
    }

    @Test
    void makesNoAddressWithoutTheMacOfTheKernel() throws Exception {
        CardKernel kernel = new CardKernel(new Mlx5Settings().withoutDestinationMac());
        try (DeviceContext context = kernel.openDevice();
                ProtectionDomain pd = context.allocatePd()) {
            assertThatThrownBy(() -> pd.createAh(CardKernel.WAY)).isInstanceOf(UnsupportedByKernelException.class);
        }
        kernel.assertClean();
    }

    // ---- completions that mean nothing

    private static ByteBuffer entry(int userIndex, long opcode, int counter) {
        return ByteBuffer.allocate(64).putInt(32, userIndex).putInt(60, counter << 16 | (int) opcode << 4);
    }

    @Test
    void passesOverUnknownOpcodes() throws Exception {
        try (CardPair pair = new CardPair(new Mlx5Settings())) {
            pair.assertIgnored(opcode -> entry(0, opcode, 0), 5, 6, 7, 8, 9, 10, 11, 12);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 100, 0xff_fffe, 0xff_ffff, -1, Integer.MIN_VALUE})
    void passesOverCompletionsOfNoQueue(int userIndex) throws Exception {
        try (CardPair pair = new CardPair(new Mlx5Settings())) {
            pair.assertIgnored(opcode -> entry(userIndex | 0x00f0_0000, opcode, 0), 0, 1, 2, 3, 4, 13, 14);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 0x7fff, 0xffff})
    void passesOverCompletionsOfWhatWasNeverPosted(int counter) throws Exception {
        try (CardPair pair = new CardPair(new Mlx5Settings())) {
            pair.assertIgnored(opcode -> entry(0, opcode, counter), 0, 2, 13, 14);
        }
    }
}
