// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands.IB_USER_VERBS_CMD_CREATE_AH;
import static io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands.IB_USER_VERBS_CMD_DEREG_MR;
import static io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands.IB_USER_VERBS_CMD_DESTROY_QP;
import static io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands.IB_USER_VERBS_CMD_MODIFY_QP;
import static io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands.IB_USER_VERBS_CMD_REG_MR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Background;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Making and closing verbs objects while calls to the kernel take their time, or fail in ways that nobody plans for. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VerbsLifeTest {
    private static final Set<Access> WRITABLE = EnumSet.of(Access.LOCAL_WRITE);

    private final ModelKernel kernel = new ModelKernel();
    private DeviceContext context;
    private ProtectionDomain pd;

    @BeforeEach
    void open() throws RdmaException {
        context = kernel.open();
        pd = context.allocatePd();
    }

    /** Something that is to be refused. */
    private interface Making {
        Object make() throws RdmaException;
    }

    private static MemoryRegion region(ProtectionDomain pd) throws RdmaException {
        return pd.registerMr(ByteBuffer.allocateDirect(64), WRITABLE);
    }

    /** One of each kind, made and closed. */
    private void useTheRestOfTheContext() throws RdmaException {
        try (ProtectionDomain other = context.allocatePd();
                MemoryRegion region = region(other);
                CompletionChannel channel = context.createCompletionChannel();
                CompletionQueue cq = context.createCq(2, 0, channel);
                SharedReceiveQueue srq = other.createSrq(SharedReceiveQueueOptions.DEFAULT);
                QueuePair qp = other.createQp(
                        QueuePairOptions.builder().cq(cq).srq(srq).build())) {
            assertThat(List.of(region.isClosed(), qp.isClosed())).containsOnly(false);
        }
        try (MemoryRegion region = region(pd)) {
            assertThat(region.isClosed()).isFalse();
        }
    }

    @Test
    void makesAndClosesOtherObjectsWhileAnAddressIsLookedUp() throws Exception {
        ModelKernel.Gate lookUp = kernel.hold(IB_USER_VERBS_CMD_CREATE_AH);
        Future<AddressHandle> address = Background.start(() -> pd.createAh(AhAttr.NONE));
        lookUp.awaitCall();
        useTheRestOfTheContext();
        assertThat(kernel.objects()).containsExactly("pd");
        lookUp.open();
        address.get();
        assertThat(kernel.objects()).containsExactly("ah", "pd");
        context.close();
        kernel.assertClean();
    }

    @Test
    void makesAndClosesOtherObjectsWhileAQueuePairIsBroughtUp() throws Exception {
        CompletionQueue cq = context.createCq(2);
        QueuePairOptions options = QueuePairOptions.builder().cq(cq).build();
        QueuePair slow = pd.createQp(options);
        ModelKernel.Gate lookUp = kernel.hold(IB_USER_VERBS_CMD_MODIFY_QP);
        Future<?> bringingUp = Background.start(() -> {
            slow.modify(QpAttr.builder().state(QpState.RTR).build());
            return slow;
        });
        lookUp.awaitCall();
        AtomicBoolean answered = new AtomicBoolean();
        Future<Boolean> closing = Background.start(() -> {
            slow.close();
            return answered.get();
        });
        pd.createQp(options).close();
        useTheRestOfTheContext();
        answered.set(true);
        lookUp.open();
        bringingUp.get();
        assertThat(closing.get()).as("closed after the answer").isTrue();
        context.close();
        kernel.assertClean();
    }

    @Test
    void makesAndClosesOtherObjectsWhileOneIsDestroyed() throws Exception {
        QueuePair slow =
                pd.createQp(QueuePairOptions.builder().cq(context.createCq(2)).build());
        ModelKernel.Gate destroying = kernel.hold(IB_USER_VERBS_CMD_DESTROY_QP);
        Future<?> closing = closing(slow);
        destroying.awaitCall();
        useTheRestOfTheContext();
        destroying.open();
        closing.get();
        context.close();
        kernel.assertClean();
    }

    private static Future<?> closing(VerbsObject object) {
        return Background.start(() -> {
            object.close();
            return object;
        });
    }

    @Test
    void closesAParentOnlyWhenTheChildThatIsBeingMadeHasBeenMadeAndClosed() throws Exception {
        ModelKernel.Gate lookUp = kernel.hold(IB_USER_VERBS_CMD_CREATE_AH);
        Future<AddressHandle> address = Background.start(() -> pd.createAh(AhAttr.NONE));
        lookUp.awaitCall();
        Future<?> closing = closing(pd);
        awaitRefusalOfChildren(pd);
        assertThat(pd.isClosed()).isFalse();
        assertThat(kernel.objects()).containsExactly("pd");
        lookUp.open();
        closing.get();
        assertThat(address.get().isClosed()).isTrue();
        assertThat(kernel.objects()).isEmpty();
        context.close();
        kernel.assertClean();
    }

    /** Until the domain is being closed: it takes no children any more. */
    private static void awaitRefusalOfChildren(ProtectionDomain pd) throws RdmaException {
        try {
            while (true) {
                region(pd).close();
            }
        } catch (IllegalStateException refused) {
            assertThat(refused).hasMessageContaining("is closed");
        }
    }

    @Test
    void closesAnUnusedParentWhenTheLastChildCannotBeMade() throws Exception {
        kernel.refuse(IB_USER_VERBS_CMD_CREATE_AH, Errno.ETIMEDOUT);
        ModelKernel.Gate lookUp = kernel.hold(IB_USER_VERBS_CMD_CREATE_AH);
        Future<AddressHandle> address = Background.start(() -> pd.createAh(AhAttr.NONE));
        lookUp.awaitCall();
        pd.closeWhenUnused();
        context.closeWhenUnused();
        assertThat(kernel.objects()).containsExactly("pd");
        lookUp.open();
        assertThatThrownBy(address::get).isInstanceOf(ExecutionException.class).hasMessageContaining("ETIMEDOUT");
        assertThat(context.isClosed()).isTrue();
        kernel.assertClean();
    }

    @Test
    void staysOpenWhenItIsWantedAgain() throws Exception {
        MemoryRegion region = region(pd);
        pd.closeWhenUnused();
        assertThat(pd.keepOpen()).isTrue();
        region.close();
        assertThat(pd.isClosed()).isFalse();
        pd.closeWhenUnused();
        assertThat(pd.isClosed()).isTrue();
        assertThat(pd.keepOpen()).isFalse();
    }

    @Test
    void isNotWantedAgainWhileItIsClosed() throws Exception {
        MemoryRegion region = region(pd);
        ModelKernel.Gate deregistering = kernel.hold(IB_USER_VERBS_CMD_DEREG_MR);
        Future<?> closing = closing(pd);
        deregistering.awaitCall();
        assertThat(pd.isClosed()).isFalse();
        assertThat(pd.keepOpen()).isFalse();
        deregistering.open();
        closing.get();
        assertThat(region.isClosed()).isTrue();
    }

    @Test
    void returnsFromASecondCloseWhenTheFirstIsOver() throws Exception {
        MemoryRegion region = region(pd);
        ModelKernel.Gate deregistering = kernel.hold(IB_USER_VERBS_CMD_DEREG_MR);
        Future<?> first = closing(region);
        deregistering.awaitCall();
        Future<List<String>> second = Background.start(() -> {
            region.close();
            return kernel.objects();
        });
        Future<List<String>> third = Background.start(() -> {
            pd.close();
            return kernel.objects();
        });
        deregistering.open();
        first.get();
        assertThat(second.get()).doesNotContain("mr");
        assertThat(third.get()).isEmpty();
        context.close();
        kernel.assertClean();
    }

    @Test
    void refusesCommandsOnAnObjectThatWaitsToBeDestroyed() throws Exception {
        QueuePair qp =
                pd.createQp(QueuePairOptions.builder().cq(context.createCq(2)).build());
        ModelKernel.Gate lookUp = kernel.hold(IB_USER_VERBS_CMD_MODIFY_QP);
        Future<?> bringingUp = Background.start(() -> {
            qp.modify(QpAttr.builder().state(QpState.RTR).build());
            return qp;
        });
        lookUp.awaitCall();
        Future<?> closing = closing(qp);
        while (!qp.isClosed()) {
            Thread.onSpinWait();
        }
        assertThatThrownBy(qp::query).isInstanceOf(IllegalStateException.class).hasMessageContaining("is closed");
        lookUp.open();
        bringingUp.get();
        closing.get();
        context.close();
        kernel.assertClean();
    }

    @Test
    void refusesWhatIsOfAnotherContext() throws Exception {
        ModelKernel otherKernel = new ModelKernel();
        try (DeviceContext other = otherKernel.open()) {
            CompletionChannel channel = other.createCompletionChannel();
            CompletionQueue cq = other.createCq(2);
            ProtectionDomain otherPd = other.allocatePd();
            SharedReceiveQueue srq = otherPd.createSrq(SharedReceiveQueueOptions.DEFAULT);
            List<Making> foreign = List.of(
                    () -> context.createCq(2, 0, channel),
                    () -> pd.createQp(QueuePairOptions.builder().cq(cq).build()),
                    () -> pd.createQp(QueuePairOptions.builder()
                            .cq(context.createCq(2))
                            .srq(srq)
                            .build()),
                    () -> XrcDomain.open(context).createSrq(pd, cq, SharedReceiveQueueOptions.DEFAULT),
                    () -> XrcDomain.open(context)
                            .createSrq(otherPd, context.createCq(2), SharedReceiveQueueOptions.DEFAULT));
            for (Making each : foreign) {
                assertThatThrownBy(each::make)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("belongs to another device context than");
            }
        }
        otherKernel.assertClean();
        context.close();
        kernel.assertClean();
    }

    @Test
    void letsWaitersInWhenAQueueCannotBeRetired() throws Exception {
        CompletionQueue cq = context.createCq(2);
        SharedReceiveQueue srq = pd.createSrq(SharedReceiveQueueOptions.DEFAULT);
        QueuePair qp = pd.createQp(QueuePairOptions.builder().cq(cq).build());
        qp.modify(QpAttr.builder().state(QpState.RTS).build());
        StackOverflowError error = new StackOverflowError("of the test");
        kernel.failRetire(error);
        for (VerbsObject object : List.of(qp, srq, cq)) {
            assertThatThrownBy(object::close).isSameAs(error);
        }
        SendWorkRequest send = new SendWorkRequest(0).send();
        ReceiveWorkRequest receive = new ReceiveWorkRequest(0);
        assertThatThrownBy(() -> qp.postSend(send)).hasMessageContaining("is closed");
        assertThatThrownBy(() -> qp.postReceive(receive)).hasMessageContaining("is closed");
        assertThatThrownBy(() -> srq.postReceive(receive)).hasMessageContaining("is closed");
        assertThatThrownBy(() -> cq.poll(new WorkCompletion[1])).hasMessageContaining("is closed");
        kernel.failRetire(null);
        context.close();
    }

    @Test
    void aClosedRegionKeepsNoMemory() throws Exception {
        SendWorkRequest request = new SendWorkRequest(1);
        Reference<ByteBuffer> memory = registeredAndClosed(request);
        while (memory.get() != null) {
            System.gc();
            Thread.onSpinWait();
        }
        assertThat(request.size()).isEqualTo(1);
        context.close();
        kernel.assertClean();
    }

    /** A request over a region that is closed, and the region's memory. */
    private Reference<ByteBuffer> registeredAndClosed(SendWorkRequest request) throws RdmaException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        MemoryRegion region = pd.registerMr(buffer, WRITABLE);
        request.add(region, 0, 64);
        region.close();
        return new WeakReference<>(buffer);
    }

    @Test
    void destroysWhatTheKernelMadeWhenAnErrorEndsTheRest() throws Exception {
        CompletionQueue cq = context.createCq(2);
        StackOverflowError error = new StackOverflowError("of the test");
        kernel.failMmap(error);
        assertThatThrownBy(() -> context.createCq(2)).isSameAs(error);
        assertThatThrownBy(() -> pd.createQp(QueuePairOptions.builder().cq(cq).build()))
                .isSameAs(error);
        assertThatThrownBy(() -> pd.createSrq(SharedReceiveQueueOptions.DEFAULT))
                .isSameAs(error);
        assertThat(kernel.objects()).containsExactly("cq", "pd");
        context.close();
        kernel.assertClean();
    }

    @Test
    void closesAllWhenOneOfThemFails() throws Exception {
        MemoryRegion region = region(pd);
        CompletionQueue cq = context.createCq(2);
        kernel.refuse(IB_USER_VERBS_CMD_DEREG_MR, Errno.EBUSY);
        assertThatThrownBy(pd::close).isInstanceOf(RdmaException.class).hasMessageContaining("EBUSY");
        assertThat(region.isClosed()).isTrue();
        assertThat(pd.isClosed()).isTrue();
        pd.close();
        region.close();
        context.close();
        assertThat(cq.isClosed()).isTrue();
        assertThat(kernel.openFiles()).isZero();
    }

    @Test
    void aListenerThatFailsKeepsNobodyWaiting() throws Exception {
        CompletionQueue cq = context.createCq(2);
        StackOverflowError error = new StackOverflowError("of the test");
        AtomicBoolean told = new AtomicBoolean();
        cq.onDestroy(destroyed -> {
            throw error;
        });
        cq.onDestroy(told::set);
        assertThatThrownBy(cq::close).isSameAs(error);
        assertThat(told).isTrue();
        cq.close();
        context.close();
        kernel.assertClean();
    }

    @Test
    void saysWhatToDoWhenMemoryCannotBePinned() {
        kernel.refuse(IB_USER_VERBS_CMD_REG_MR, Errno.EFAULT);
        assertThatThrownBy(() -> region(pd))
                .isInstanceOf(RdmaException.class)
                .hasMessageContaining("EFAULT")
                .hasMessageContaining("64 bytes")
                .hasMessageContaining("MapMode.PRIVATE");
    }

    @Test
    void closesTheChannelsOfAContextThatBecameGarbage() throws Exception {
        ModelKernel other = new ModelKernel();
        abandonAContextWithChannels(other);
        while (other.openFiles() > 0) {
            System.gc();
            Thread.onSpinWait();
        }
    }

    private static void abandonAContextWithChannels(ModelKernel kernel) throws RdmaException {
        DeviceContext abandoned = kernel.open();
        for (int i = 0; i < 5; i++) {
            abandoned.createCompletionChannel();
        }
        abandoned.createCompletionChannel().close();
        abandoned
                .allocatePd()
                .createQp(QueuePairOptions.builder().cq(abandoned.createCq(2)).build());
        assertThat(kernel.openFiles()).isEqualTo(7);
    }
}
