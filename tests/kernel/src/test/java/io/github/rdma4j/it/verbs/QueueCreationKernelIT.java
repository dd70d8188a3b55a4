// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queues of soft-RoCE. */
@RequiresKernel
class QueueCreationKernelIT extends QueueCreationScenarios {
    @Override
    void assertRefused(ThrowingCall call) {
        assertInvalid(call);
    }

    private static void assertNamed(ThrowingCall call, String option, int value, int least, int limit) {
        assertThatThrownBy(call::run)
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("EINVAL")
                .hasMessageEndingWith(
                        option + " is " + value + ": the device has " + limit + "; accepted " + least + " to " + limit);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void namesTheSizeOfACompletionQueue(int entries) throws Exception {
        try (DeviceContext context = openContext()) {
            String name = "the number of entries of a completion queue";
            int limit = context.queryDevice().maxCqe();
            assertNamed(() -> context.createCq(entries), name, entries, 1, limit);
            assertNamed(() -> context.createCq(limit + 1), name, limit + 1, 1, limit);
            try (CompletionQueue cq = context.createCq(8)) {
                assertNamed(() -> cq.resize(limit + 1), name, limit + 1, 1, limit);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void namesACompletionVectorThatDoesNotExist(int vector) throws Exception {
        try (DeviceContext context = openContext();
                CompletionChannel channel = context.createCompletionChannel()) {
            int vectors = context.completionVectors();
            for (int wrong : new int[] {vector, vectors}) {
                assertThatThrownBy(() -> context.createCq(8, wrong, channel))
                        .isInstanceOf(ErrnoException.class)
                        .hasMessageContaining("EINVAL")
                        .hasMessageEndingWith("the completion vector is " + wrong + ": the device has " + vectors
                                + "; accepted 0 to " + (vectors - 1));
            }
        }
    }

    /** The limits of the device, each exceeded by one. */
    @Test
    void namesTheOptionOfAQueuePairThatTheDeviceCannotHave() throws Exception {
        try (DeviceContext context = openContext();
                ProtectionDomain pd = context.allocatePd();
                CompletionQueue cq = context.createCq(8)) {
            DeviceAttr device = context.queryDevice();
            int requests = device.maxQpWr() + 1;
            int pieces = device.maxSge() + 1;
            assertNamed(pd, cq, qp -> qp.maxSendWr(requests), "maxSendWr", requests);
            assertNamed(pd, cq, qp -> qp.maxReceiveWr(requests), "maxReceiveWr", requests);
            assertNamed(pd, cq, qp -> qp.maxSendSge(pieces), "maxSendSge", pieces);
            assertNamed(pd, cq, qp -> qp.maxReceiveSge(pieces), "maxReceiveSge", pieces);
            assertThatThrownBy(() -> pd.createQp(QueuePairOptions.builder()
                            .cq(cq)
                            .maxInline(1_000_000)
                            .build()))
                    .hasMessageContaining("maxInline is 1000000: the device may accept less");
        }
    }

    private static void assertNamed(
            ProtectionDomain pd,
            CompletionQueue cq,
            UnaryOperator<QueuePairOptions.Builder> change,
            String option,
            int value) {
        QueuePairOptions options =
                change.apply(QueuePairOptions.builder().cq(cq)).build();
        assertNamed(() -> pd.createQp(options), option, value, 0, value - 1);
    }

    @Test
    void namesTheSizeOfASharedReceiveQueueWithoutReceives() throws Exception {
        SharedReceiveQueueOptions none =
                SharedReceiveQueueOptions.builder().maxReceiveWr(0).build();
        try (DeviceContext context = openContext();
                ProtectionDomain pd = context.allocatePd()) {
            String name = "maxReceiveWr of a shared receive queue";
            assertNamed(
                    () -> pd.createSrq(none), name, 0, 1, context.queryDevice().maxSrqWr());
        }
    }

    @Test
    void namesTheOptionOfASharedReceiveQueueThatTheDeviceCannotHave() throws Exception {
        try (DeviceContext context = openContext();
                ProtectionDomain pd = context.allocatePd()) {
            DeviceAttr device = context.queryDevice();
            SharedReceiveQueueOptions many = SharedReceiveQueueOptions.builder()
                    .maxReceiveWr(device.maxSrqWr() + 1)
                    .build();
            SharedReceiveQueueOptions wide = SharedReceiveQueueOptions.builder()
                    .maxReceiveSge(device.maxSrqSge() + 1)
                    .build();
            assertNamed(
                    () -> pd.createSrq(many),
                    "maxReceiveWr of a shared receive queue",
                    device.maxSrqWr() + 1,
                    1,
                    device.maxSrqWr());
            assertNamed(
                    () -> pd.createSrq(wide),
                    "maxReceiveSge of a shared receive queue",
                    device.maxSrqSge() + 1,
                    0,
                    device.maxSrqSge());
        }
    }
}
