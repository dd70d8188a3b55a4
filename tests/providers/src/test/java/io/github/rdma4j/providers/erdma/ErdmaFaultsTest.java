// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.erdma;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.erdma.Elements.Completion;
import io.github.rdma4j.internal.erdma.ErdmaAbi.AllocCtxResp;
import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateCqResp;
import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateQpResp;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.providers.kernel.ErdmaSettings;
import io.github.rdma4j.providers.kernel.KernelCommand;
import io.github.rdma4j.providers.provider.CardPair;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels and devices of erdma that lie. What they do as others do is in the tests of all devices. */
class ErdmaFaultsTest {
    private static void makeQueuePair(CardKernel kernel) throws RdmaException {
        try (DeviceContext context = kernel.openDevice();
                ProtectionDomain pd = context.allocatePd()) {
            pd.createQp(QueuePairOptions.builder().cq(context.createCq(10)).build());
        }
    }

    // ---- what a kernel may say

    private static void assertRefused(ErdmaSettings settings, String message) {
        CardKernel kernel = settings.start();
        assertThatThrownBy(() -> makeQueuePair(kernel))
                .isInstanceOf(MalformedReplyException.class)
                .hasMessageContaining(message);
        kernel.assertClean();
    }

    @ParameterizedTest
    @ValueSource(ints = {16, Integer.MAX_VALUE, -1, Integer.MIN_VALUE})
    void ringsNowhereElseThanInThePage(int lie) {
        assertRefused(
                new ErdmaSettings().withOneDoorbell().contextReply(reply -> reply.putInt(AllocCtxResp.SDB_OFFSET, lie)),
                "erdma_uresp_alloc_ctx, sdb_offset " + lie);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 1 << 16, Integer.MAX_VALUE, -1, Integer.MIN_VALUE})
    void takesNoMoreCompletionsThanTheMemoryHas(int lie) {
        assertRefused(
                new ErdmaSettings().reply(KernelCommand.CREATE_CQ, reply -> reply.putInt(CreateCqResp.NUM_CQE, lie)),
                "erdma_uresp_create_cq, num_cqe " + lie);
    }

    @ParameterizedTest
    @CsvSource({
        CreateQpResp.NUM_SQE + ", 0",
        CreateQpResp.NUM_SQE + ", 3",
        CreateQpResp.NUM_SQE + ", 4096",
        CreateQpResp.NUM_SQE + ", -2147483648",
        CreateQpResp.NUM_RQE + ", 0",
        CreateQpResp.NUM_RQE + ", -1",
        CreateQpResp.NUM_RQE + ", 4096",
        CreateQpResp.RQ_OFFSET + ", -32",
        CreateQpResp.RQ_OFFSET + ", 8",
        CreateQpResp.RQ_OFFSET + ", 2147483616"
    })
    void takesNoMoreElementsThanTheMemoryHas(int at, int lie) {
        assertRefused(
                new ErdmaSettings().reply(KernelCommand.CREATE_QP, reply -> reply.putInt(at, lie)),
                "erdma_uresp_create_qp, ");
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 24, -1, Integer.MIN_VALUE})
    void knowsNoQueuePairWithANumberOfMoreThan24Bits(int lie) {
        assertRefused(
                new ErdmaSettings().reply(KernelCommand.CREATE_QP, reply -> reply.putInt(CreateQpResp.QP_ID, lie)),
                "number 0x" + Integer.toHexString(lie) + " of more than 24 bits");
    }

    @Test
    void saysThatItDoesNotKnowErdmaOverRoce() {
        CardKernel kernel = new ErdmaSettings().roce().start();
        assertThatThrownBy(() -> makeQueuePair(kernel))
                .isInstanceOf(UnsupportedByKernelException.class)
                .hasMessageContaining("the device runs RoCE");
        kernel.assertClean();
    }

    // ---- completions that mean nothing

    private static ByteBuffer entry(long qpn, int queue, int index) {
        return ByteBuffer.allocate(32)
                .putInt(Completion.HEADER, queue << Completion.QUEUE_SHIFT)
                .putInt(Completion.QPN, (int) qpn)
                .putInt(Completion.INDEX, index);
    }

    @Test
    void passesOverCompletionsOfNoQueuePair() throws Exception {
        try (CardPair pair = new CardPair(new ErdmaSettings())) {
            pair.assertIgnored(
                    qpn -> entry(qpn, Completion.SENDS, 0), 0, 1, 0xff_ffff, 0x100_0000, -1, Integer.MIN_VALUE);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Completion.SENDS, Completion.RECEIVES, 2, 0xff})
    void passesOverCompletionsOfWhatWasNeverPosted(int queue) throws Exception {
        try (CardPair pair = new CardPair(new ErdmaSettings())) {
            int qpn = pair.client().qpn();
            pair.assertIgnored(index -> entry(qpn, queue, (int) index), 0, 1, 63, 0x7fff, 0xffff, -1);
        }
    }
}
