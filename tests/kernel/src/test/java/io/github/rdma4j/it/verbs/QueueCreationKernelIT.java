// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queues of soft-RoCE. */
@RequiresKernel
class QueueCreationKernelIT extends QueueCreationScenarios {
    @Override
    void assertRefused(ThrowingCallable call) {
        assertInvalid(call);
    }

    private static void assertNamed(String option, int value, int least, int limit, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("EINVAL")
                .hasMessageEndingWith(
                        option + " is " + value + ": the device has " + limit + "; accepted " + least + " to " + limit);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void namesTheSizeOfACompletionQueue(int entries) throws Exception {
        String name = "the number of entries of a completion queue";
        int limit = context.queryDevice().maxCqe();
        assertNamed(name, entries, 1, limit, () -> context.createCq(entries));
        assertNamed(name, limit + 1, 1, limit, () -> context.createCq(limit + 1));
        CompletionQueue cq = context.createCq(8);
        assertNamed(name, limit + 1, 1, limit, () -> cq.resize(limit + 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void namesACompletionVectorThatDoesNotExist(int vector) throws Exception {
        CompletionChannel channel = context.createCompletionChannel();
        int vectors = context.completionVectors();
        for (int wrong : new int[] {vector, vectors}) {
            assertThatThrownBy(() -> context.createCq(8, wrong, channel))
                    .isInstanceOf(ErrnoException.class)
                    .hasMessageContaining("EINVAL")
                    .hasMessageEndingWith("the completion vector is " + wrong + ": the device has " + vectors
                            + "; accepted 0 to " + (vectors - 1));
        }
    }

    /** The limits of the device, each exceeded by one. */
    @Test
    void namesTheOptionOfAQueuePairThatTheDeviceCannotHave() throws Exception {
        DeviceAttr device = context.queryDevice();
        int requests = device.maxQpWr() + 1;
        int pieces = device.maxSge() + 1;
        assertNamed("maxSendWr", requests, qp -> qp.maxSendWr(requests));
        assertNamed("maxReceiveWr", requests, qp -> qp.maxReceiveWr(requests));
        assertNamed("maxSendSge", pieces, qp -> qp.maxSendSge(pieces));
        assertNamed("maxReceiveSge", pieces, qp -> qp.maxReceiveSge(pieces));
        QueuePairOptions inline = QueuePairOptions.builder()
                .cq(context.createCq(8))
                .maxInline(1_000_000)
                .build();
        assertThatThrownBy(() -> pd.createQp(inline))
                .hasMessageContaining("maxInline is 1000000: the device may accept less");
    }

    private void assertNamed(String option, int value, UnaryOperator<QueuePairOptions.Builder> change)
            throws Exception {
        QueuePairOptions options =
                change.apply(QueuePairOptions.builder().cq(context.createCq(8))).build();
        assertNamed(option, value, 0, value - 1, () -> pd.createQp(options));
    }

    @Test
    void namesTheOptionOfASharedReceiveQueueThatTheDeviceCannotHave() throws Exception {
        DeviceAttr device = context.queryDevice();
        SharedReceiveQueueOptions.Builder options = SharedReceiveQueueOptions.builder();
        int receives = device.maxSrqWr();
        for (int wrong : new int[] {0, receives + 1}) {
            SharedReceiveQueueOptions queue = options.maxReceiveWr(wrong).build();
            assertNamed("maxReceiveWr of a shared receive queue", wrong, 1, receives, () -> pd.createSrq(queue));
        }
        int pieces = device.maxSrqSge();
        SharedReceiveQueueOptions wide =
                options.maxReceiveWr(1).maxReceiveSge(pieces + 1).build();
        assertNamed("maxReceiveSge of a shared receive queue", pieces + 1, 0, pieces, () -> pd.createSrq(wide));
    }
}
