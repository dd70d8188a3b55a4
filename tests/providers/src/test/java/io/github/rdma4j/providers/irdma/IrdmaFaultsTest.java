// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.irdma;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.irdma.IrdmaAbi.ContextResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.Newer;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.providers.kernel.IrdmaSettings;
import io.github.rdma4j.providers.provider.CardPair;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels and devices of irdma that lie. What they do as others do is in the tests of all devices. */
class IrdmaFaultsTest {
    private static void makeEverything(CardKernel kernel) throws RdmaException {
        try (DeviceContext context = kernel.openDevice();
                ProtectionDomain pd = context.allocatePd()) {
            CompletionQueue cq = context.createCq(10);
            cq.resize(20);
            pd.createQp(QueuePairOptions.builder().cq(cq).build());
        }
    }

    // ---- what a kernel may say and refuse

    @Test
    void saysThatItDoesNotKnowTheGeneration() {
        CardKernel kernel = new IrdmaSettings()
                .contextReply(reply -> reply.put(ContextResp.HW_REV, (byte) 4))
                .start();
        assertThatThrownBy(kernel::openDevice)
                .isInstanceOf(UnsupportedByKernelException.class)
                .hasMessageContaining("the device is of generation 4");
        kernel.assertClean();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                ContextResp.MAX_HW_WQ_FRAGS,
                ContextResp.MAX_HW_READ_SGES,
                ContextResp.MAX_HW_INLINE,
                ContextResp.MAX_HW_RQ_QUANTA,
                ContextResp.MAX_HW_WQ_QUANTA,
                ContextResp.MAX_HW_CQ_SIZE
            })
    void trustsNoLimitBeyondTheFormat(int at) throws Exception {
        for (int lie : new int[] {0, -1, Integer.MIN_VALUE}) {
            CardKernel kernel = new IrdmaSettings()
                    .contextReply(reply -> reply.putInt(at, lie))
                    .start();
            assertThatThrownBy(kernel::openDevice)
                    .isInstanceOf(MalformedReplyException.class)
                    .hasMessageContaining("irdma_alloc_ucontext_resp, max_hw_")
                    .hasMessageContaining("" + lie);
            kernel.assertClean();
        }
        CardKernel kernel = new IrdmaSettings()
                .contextReply(reply -> reply.putInt(at, Integer.MAX_VALUE))
                .start();
        makeEverything(kernel);
        kernel.assertClean();
    }

    @ParameterizedTest
    @ValueSource(shorts = {0, 1, 3, 7, 16, -8})
    void takesNoChunkThatIsNone(short chunk) {
        CardKernel kernel = new IrdmaSettings()
                .contextReply(reply -> reply.putShort(ContextResp.MAX_HW_SQ_CHUNK, chunk))
                .start();
        assertThatThrownBy(kernel::openDevice)
                .isInstanceOf(MalformedReplyException.class)
                .hasMessageContaining("max_hw_sq_chunk");
        kernel.assertClean();
    }

    @ParameterizedTest
    @ValueSource(shorts = {0, 3, 24, 256, -16})
    void takesNoFewestElementsThatAreNoRing(short fewest) {
        CardKernel kernel = new IrdmaSettings()
                .gen3()
                .contextReply(reply -> reply.putShort(Newer.MIN_HW_WQ_SIZE, fewest))
                .start();
        assertThatThrownBy(kernel::openDevice)
                .isInstanceOf(MalformedReplyException.class)
                .hasMessageContaining("min_hw_wq_size");
        kernel.assertClean();
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

    // ---- completions that mean nothing

    @Test
    void passesOverCompletionsOfNoQueuePair() throws Exception {
        try (CardPair pair = new CardPair(new IrdmaSettings())) {
            pair.assertIgnored(
                    context -> ByteBuffer.allocate(32).putLong(8, Long.reverseBytes(context)),
                    1,
                    0x100_0002,
                    0x500_0000,
                    -1,
                    Long.MIN_VALUE);
        }
    }
}
