// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.lab.RawConnection;
import io.github.rdma4j.lab.providers.kernel.KernelCommand;
import io.github.rdma4j.lab.providers.kernel.Mlx5Kernel;
import io.github.rdma4j.lab.providers.kernel.Mlx5Settings;
import io.github.rdma4j.support.Seeds;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels and devices of ConnectX that lack something, and completions that mean nothing. */
class Mlx5FaultsTest {
    private static void assertMovesData(Mlx5Settings settings) throws RdmaException {
        try (CardPair pair = new CardPair(settings)) {
            for (int i = 0; i < 100; i++) {
                pair.buffer().putInt(0, i);
                pair.server().postReceive(pair.receive(i));
                pair.client().postSend(pair.send(i));
                pair.settle();
                assertThat(pair.poll().isSuccess()).isTrue();
                assertThat(pair.poll().isSuccess()).isTrue();
                assertThat(pair.buffer().getInt(128)).isEqualTo(i);
            }
        }
    }

    // ---- what a kernel or device may lack

    @Test
    void movesDataWithoutWriteCombining() throws Exception {
        assertMovesData(new Mlx5Settings().withoutWriteCombining());
    }

    @Test
    void movesDataWithCompletionsOfVersionZero() throws Exception {
        assertMovesData(new Mlx5Settings().cqeVersion(0));
    }

    @Test
    void makesNoQueuesForADriverOfAnotherAbi() {
        Mlx5Kernel kernel = new Mlx5Kernel(new Mlx5Settings().driverAbi(2));
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
        Mlx5Kernel kernel = new Mlx5Kernel(new Mlx5Settings().uars(0));
        assertThatThrownBy(() -> kernel.openDevice())
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
        kernel.assertClean();
    }

    @Test
    void makesNoAddressWithoutTheMacOfTheKernel() throws Exception {
        Mlx5Kernel kernel = new Mlx5Kernel(new Mlx5Settings().withoutDestinationMac());
        try (DeviceContext context = kernel.openDevice();
                ProtectionDomain pd = context.allocatePd()) {
            assertThatThrownBy(() -> pd.createAh(Mlx5Kernel.WAY)).isInstanceOf(UnsupportedByKernelException.class);
        }
        kernel.assertClean();
    }

    @ParameterizedTest
    @EnumSource(
            value = KernelCommand.class,
            names = {"OPEN", "GET_CONTEXT", "ALLOC_UAR", "MAP", "ALLOC_PD", "CREATE_CQ", "CREATE_QP", "CREATE_SRQ"})
    void leavesNothingOfACommandThatIsRefused(KernelCommand command) throws Exception {
        Mlx5Kernel kernel = new Mlx5Kernel();
        kernel.failNext(command, Errno.ENOMEM);
        assertThatThrownBy(() -> makeEverything(kernel)).isInstanceOf(ErrnoException.class);
        kernel.assertClean();
        makeEverything(kernel);
        kernel.assertClean();
    }

    private static void makeEverything(Mlx5Kernel kernel) throws RdmaException {
        try (DeviceContext context = kernel.openDevice();
                ProtectionDomain pd = context.allocatePd()) {
            CompletionQueue cq = context.createCq(10);
            pd.createSrq(SharedReceiveQueueOptions.DEFAULT);
            pd.createQp(QueuePairOptions.builder().cq(cq).build());
        }
    }

    // ---- completions that mean nothing

    private static ByteBuffer entry(int userIndex, int opcode, int counter) {
        return ByteBuffer.allocate(64).putInt(32, userIndex).putInt(60, counter << 16 | opcode << 4);
    }

    private static void forge(CardPair pair, ByteBuffer entry) {
        pair.kernel().card().completionQueues().get(0).forge(entry);
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 6, 7, 8, 9, 10, 11, 12})
    void passesOverUnknownOpcodes(int opcode) throws Exception {
        try (CardPair pair = new CardPair(new Mlx5Settings())) {
            forge(pair, entry(0, opcode, 0));
            assertThat(pair.isEmpty()).isTrue();
            assertThat(pair.cq().ignoredEntries()).isEqualTo(1);
            pair.assertStillWorks();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 100, 0xff_fffe, 0xff_ffff, -1, Integer.MIN_VALUE})
    void passesOverCompletionsOfNoQueue(int userIndex) throws Exception {
        try (CardPair pair = new CardPair(new Mlx5Settings())) {
            for (int opcode : new int[] {0, 1, 2, 3, 4, 13, 14}) {
                forge(pair, entry(userIndex | 0x00f0_0000, opcode, 0));
            }
            assertThat(pair.isEmpty()).isTrue();
            assertThat(pair.cq().ignoredEntries()).isEqualTo(7);
            pair.assertStillWorks();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 0x7fff, 0xffff})
    void passesOverCompletionsOfWhatWasNeverPosted(int counter) throws Exception {
        try (CardPair pair = new CardPair(new Mlx5Settings())) {
            for (int opcode : new int[] {0, 2, 13, 14}) {
                forge(pair, entry(0, opcode, counter));
            }
            assertThat(pair.isEmpty()).isTrue();
            assertThat(pair.cq().ignoredEntries()).isEqualTo(4);
            pair.assertStillWorks();
            assertThat(pair.cq().ignoredEntries()).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @Seeds
    void survivesGarbage(long seed) throws Exception {
        Random random = new Random(seed);
        try (CardPair pair = new CardPair(new Mlx5Settings())) {
            byte[] bytes = new byte[64];
            for (int i = 0; i < 10_000; i++) {
                random.nextBytes(bytes);
                ByteBuffer entry = ByteBuffer.wrap(bytes);
                if (random.nextBoolean()) {
                    entry.putInt(32, random.nextInt(3));
                }
                forge(pair, entry);
                pair.isEmpty();
            }
            // An entry with the opcode of an unwritten one is not seen until the next lap overwrites it.
            assertThat(pair.cq().ignoredEntries()).isBetween(1L, 10_000L);
        }
    }

    // ---- a queue that stays

    @Test
    void leavesAQueueThatTheKernelKeepsItsRecord() throws Exception {
        CardPair pair = new CardPair(new Mlx5Settings());
        pair.client().postSend(pair.write(1));
        pair.settle();
        pair.poll();
        pair.kernel().failNext(KernelCommand.DESTROY_QP, Errno.EIO);
        assertThatThrownBy(() -> pair.client().close()).isInstanceOf(ErrnoException.class);
        QueuePair next = pair.pd().createQp(pair.options());
        RawConnection.connect(next, pair.server().qpn(), Mlx5Kernel.WAY);
        next.moveToError();
        next.postSend(pair.write(2));
        pair.settle();
        assertThat(pair.poll().wrId()).isEqualTo(2);
        assertThat(pair.isEmpty()).isTrue();
        assertThatThrownBy(() -> pair.context().close()).isInstanceOf(ErrnoException.class);
        assertThat(pair.kernel().complaints()).isEmpty();
        assertThat(pair.kernel().descriptors()).isZero();
    }
}
