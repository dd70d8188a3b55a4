// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.bnxt.BnxtAbi;
import io.github.rdma4j.internal.connectx.Segments.Codes;
import io.github.rdma4j.internal.erdma.Elements.Completion;
import io.github.rdma4j.internal.erdma.ErdmaAbi;
import io.github.rdma4j.internal.irdma.IrdmaAbi.ContextResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.Newer;
import io.github.rdma4j.internal.mlx4.Cqe.CqeBytes;
import io.github.rdma4j.internal.mlx4.Cqe.CqeCodes;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.providers.kernel.BnxtSettings;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.providers.kernel.CardSettings;
import io.github.rdma4j.providers.kernel.ErdmaSettings;
import io.github.rdma4j.providers.kernel.IrdmaSettings;
import io.github.rdma4j.providers.kernel.KernelCommand;
import io.github.rdma4j.providers.kernel.Mlx4Settings;
import io.github.rdma4j.providers.kernel.Mlx5Settings;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels and devices that lie or lack something, each in the words of its driver; {@link CardFaultsTest} has what all drivers share. */
@Timeout(60)
class DriverFaultsTest {
    private static final int[] NO_SIZE = {0, -1, Integer.MIN_VALUE};

    // ---- what a kernel may say

    /** A kernel that says what is not so, and how the provider refuses it. */
    private record Lie(CardSettings<?> settings, Class<? extends Exception> type, List<String> message) {
        @Override
        public String toString() {
            return String.join(" ", message);
        }
    }

    private static Lie malformed(CardSettings<?> settings, String... message) {
        return new Lie(settings, MalformedReplyException.class, List.of(message));
    }

    private static Lie unsupported(CardSettings<?> settings, String message) {
        return new Lie(settings, UnsupportedByKernelException.class, List.of(message));
    }

    static Stream<Lie> lies() {
        List<Lie> lies = new ArrayList<>();
        lies.add(unsupported(new Mlx4Settings().entryBytes(128), "completions of 128 bytes"));
        lies.addAll(liesOfBnxt());
        lies.addAll(liesOfErdma());
        lies.addAll(liesOfIrdma());
        return lies.stream();
    }

    private static List<Lie> liesOfBnxt() {
        List<Lie> lies = new ArrayList<>();
        for (int bytes : new int[] {0, 16, 64, -1}) {
            CardSettings<?> lie =
                    new BnxtSettings().contextReply(reply -> reply.putInt(BnxtAbi.ContextResp.CQE_SZ, bytes));
            lies.add(malformed(lie, "bnxt_re_uctx_resp, cqe_sz " + bytes));
        }
        for (int most : NO_SIZE) {
            CardSettings<?> lie =
                    new BnxtSettings().contextReply(reply -> reply.putInt(BnxtAbi.ContextResp.MAX_CQD, most));
            lies.add(malformed(lie, "bnxt_re_uctx_resp, max_cqd " + most));
        }
        return lies;
    }

    private static List<Lie> liesOfErdma() {
        List<Lie> lies = new ArrayList<>();
        for (int at : new int[] {16, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
            CardSettings<?> lie = new ErdmaSettings()
                    .withOneDoorbell()
                    .contextReply(reply -> reply.putInt(ErdmaAbi.AllocCtxResp.SDB_OFFSET, at));
            lies.add(malformed(lie, "erdma_uresp_alloc_ctx, sdb_offset " + at));
        }
        for (int entries : new int[] {0, 3, 1 << 16, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
            CardSettings<?> lie = new ErdmaSettings()
                    .reply(KernelCommand.CREATE_CQ, reply -> reply.putInt(ErdmaAbi.CreateCqResp.NUM_CQE, entries));
            lies.add(malformed(lie, "erdma_uresp_create_cq, num_cqe " + entries));
        }
        for (int elements : new int[] {0, 3, 4096, Integer.MIN_VALUE}) {
            lies.add(malformed(madeQueuePair(ErdmaAbi.CreateQpResp.NUM_SQE, elements), "erdma_uresp_create_qp, "));
        }
        for (int elements : new int[] {0, -1, 4096}) {
            lies.add(malformed(madeQueuePair(ErdmaAbi.CreateQpResp.NUM_RQE, elements), "erdma_uresp_create_qp, "));
        }
        for (int at : new int[] {-32, 8, Integer.MAX_VALUE - 31}) {
            lies.add(malformed(madeQueuePair(ErdmaAbi.CreateQpResp.RQ_OFFSET, at), "erdma_uresp_create_qp, "));
        }
        for (int number : new int[] {1 << 24, -1, Integer.MIN_VALUE}) {
            String message = "number 0x" + Integer.toHexString(number) + " of more than 24 bits";
            lies.add(malformed(madeQueuePair(ErdmaAbi.CreateQpResp.QP_ID, number), message));
        }
        lies.add(unsupported(new ErdmaSettings().roce(), "the device runs RoCE"));
        return lies;
    }

    private static CardSettings<?> madeQueuePair(int at, int lie) {
        return new ErdmaSettings().reply(KernelCommand.CREATE_QP, reply -> reply.putInt(at, lie));
    }

    /** Where the reply of irdma has limits. */
    private static final List<Integer> LIMITS = List.of(
            ContextResp.MAX_HW_WQ_FRAGS,
            ContextResp.MAX_HW_READ_SGES,
            ContextResp.MAX_HW_INLINE,
            ContextResp.MAX_HW_RQ_QUANTA,
            ContextResp.MAX_HW_WQ_QUANTA,
            ContextResp.MAX_HW_CQ_SIZE);

    private static List<Lie> liesOfIrdma() {
        List<Lie> lies = new ArrayList<>();
        lies.add(unsupported(
                new IrdmaSettings().contextReply(reply -> reply.put(ContextResp.HW_REV, (byte) 4)),
                "the device is of generation 4"));
        for (int at : LIMITS) {
            for (int limit : NO_SIZE) {
                CardSettings<?> lie = new IrdmaSettings().contextReply(reply -> reply.putInt(at, limit));
                lies.add(malformed(lie, "irdma_alloc_ucontext_resp, max_hw_", "" + limit));
            }
        }
        for (short chunk : new short[] {0, 1, 3, 7, 16, -8}) {
            CardSettings<?> lie =
                    new IrdmaSettings().contextReply(reply -> reply.putShort(ContextResp.MAX_HW_SQ_CHUNK, chunk));
            lies.add(malformed(lie, "max_hw_sq_chunk"));
        }
        for (short fewest : new short[] {0, 3, 24, 256, -16}) {
            CardSettings<?> lie =
                    new IrdmaSettings().gen3().contextReply(reply -> reply.putShort(Newer.MIN_HW_WQ_SIZE, fewest));
            lies.add(malformed(lie, "min_hw_wq_size"));
        }
        return lies;
    }

    private static void makeQueues(CardKernel kernel, int other) throws RdmaException {
        try (DeviceContext context = kernel.openDevice();
                ProtectionDomain pd = context.allocatePd()) {
            CompletionQueue cq = context.createCq(10);
            if (other > 0) {
                cq.resize(other);
            }
            pd.createQp(QueuePairOptions.builder().cq(cq).build());
        }
    }

    @ParameterizedTest
    @MethodSource("lies")
    void refusesWhatCannotBe(Lie lie) {
        CardKernel kernel = lie.settings().start();
        assertThatThrownBy(() -> makeQueues(kernel, 0))
                .isInstanceOf(lie.type())
                .satisfies(refused -> assertThat(refused.getMessage()).contains(lie.message()));
        kernel.assertClean();
    }

    @Test
    void trustsNoLimitOfIrdmaBeyondTheFormat() throws Exception {
        for (int at : LIMITS) {
            CardKernel kernel = new IrdmaSettings()
                    .contextReply(reply -> reply.putInt(at, Integer.MAX_VALUE))
                    .start();
            makeQueues(kernel, 20);
            kernel.assertClean();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MAX_VALUE})
    void trustsNoSizeOfSharedReceiveQueuesBeyondTheFormat(int quanta) throws Exception {
        CardKernel kernel = new IrdmaSettings()
                .gen3()
                .contextReply(reply -> reply.putInt(Newer.MAX_HW_SRQ_QUANTA, quanta))
                .start();
        try (DeviceContext context = kernel.openDevice();
                ProtectionDomain pd = context.allocatePd()) {
            SharedReceiveQueueOptions.Builder options = SharedReceiveQueueOptions.builder();
            assertThatThrownBy(() -> pd.createSrq(options.maxReceiveWr(1 << 20).build()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("maxReceiveWr of a shared receive queue is 1048576");
        }
        kernel.assertClean();
    }

    // ---- what a kernel or device may lack

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
    void makesNoQueuesOfConnectxForADriverOfAnotherAbi() {
        CardKernel kernel = new CardKernel(new Mlx5Settings().driverAbi(2));
        assertThatThrownBy(() -> makeQueues(kernel, 0)).isInstanceOf(RdmaException.class);
        kernel.assertClean();
    }

    @Test
    void saysThatThereAreNoDoorbellPagesLeft() {
        CardKernel kernel = new CardKernel(new Mlx5Settings().uars(0));
        assertThatThrownBy(kernel::openDevice)
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

    // ---- completions of queue pairs that are not there

    /** Completions of a device for each of {@code values}, of which none completes anything. */
    @SuppressWarnings("ArrayRecordComponent") // is not compared
    private record Nothing(String name, CardSettings<?> settings, LongFunction<ByteBuffer> entry, long... values) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Nothing> nothings() {
        List<Nothing> all = new ArrayList<>();
        long[] handles = {1, 0x100_0002, 0x500_0000, -1, Long.MIN_VALUE};
        LongFunction<ByteBuffer> ofBnxt = handle -> ByteBuffer.allocate(32).putLong(0, Long.reverseBytes(handle));
        LongFunction<ByteBuffer> ofIrdma = context -> ByteBuffer.allocate(32).putLong(8, Long.reverseBytes(context));
        LongFunction<ByteBuffer> ofErdma = qpn -> ByteBuffer.allocate(32).putInt(Completion.QPN, (int) qpn);
        all.add(new Nothing("bnxt_re", new BnxtSettings(), ofBnxt, handles));
        all.add(new Nothing("irdma", new IrdmaSettings(), ofIrdma, handles));
        all.add(new Nothing("erdma", new ErdmaSettings(), ofErdma, 0, 1, 0xff_ffff, 0x100_0000, -1, Integer.MIN_VALUE));
        int sent = CqeCodes.MLX4_CQE_IS_SEND_MASK | Codes.OPCODE_SEND;
        int error = CqeCodes.MLX4_CQE_OPCODE_ERROR;
        int sendError = CqeCodes.MLX4_CQE_IS_SEND_MASK | error;
        for (int qpn : new int[] {2, 100, 0x7f_ffff, 0x80_0000, 0xff_ffff}) {
            LongFunction<ByteBuffer> ofMlx4 = operation -> ByteBuffer.allocate(CqeBytes.BYTES)
                    .putInt(CqeBytes.VLAN_MY_QPN, qpn)
                    .put(CqeBytes.OWNER_SR_OPCODE, (byte) operation);
            all.add(new Nothing("mlx4, QP " + qpn, new Mlx4Settings(), ofMlx4, 0, 1, 2, 3, error, sent, sendError));
        }
        for (int index : new int[] {2, 100, 0xff_fffe, 0xff_ffff, -1, Integer.MIN_VALUE}) {
            LongFunction<ByteBuffer> ofMlx5 = opcode ->
                    ByteBuffer.allocate(64).putInt(32, index | 0x00f0_0000).putInt(60, (int) opcode << 4);
            all.add(new Nothing("mlx5, user index " + index, new Mlx5Settings(), ofMlx5, 0, 1, 2, 3, 4, 13, 14));
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("nothings")
    void passesOverCompletionsThatMeanNothing(Nothing nothing) throws Exception {
        try (CardPair pair = new CardPair(nothing.settings())) {
            pair.assertIgnored(nothing.entry(), nothing.values());
        }
    }
}
