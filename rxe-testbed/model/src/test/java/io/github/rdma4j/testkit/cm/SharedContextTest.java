// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import static io.github.rdma4j.testkit.cm.TwoSides.LIMIT;
import static io.github.rdma4j.testkit.cm.TwoSides.RESOLVE;
import static io.github.rdma4j.testkit.cm.TwoSides.expect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.testkit.model.ModelCommand;
import io.github.rdma4j.testkit.model.ModelCommand.Pause;
import io.github.rdma4j.testkit.model.ModelRdmaCm;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The context that the ids of a device share, when ids come and go. */
class SharedContextTest {
    private static final int ROUNDS = 300;

    private final ModelRdmaCm model = new ModelRdmaCm();
    private final ExecutorService other = Executors.newCachedThreadPool();
    private EventChannel channel;

    @BeforeEach
    void open() throws Exception {
        channel = EventChannel.open(model.kernel());
    }

    @AfterEach
    void close() throws Exception {
        other.shutdown();
        assertThat(other.awaitTermination(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        channel.close();
        model.assertNothingLeft();
    }

    /** An id that has a device. */
    private CmId addressed(EventChannel on) throws Exception {
        CmId id = on.createId(PortSpace.TCP);
        id.resolveAddress(Place.of(model).newAddress(), RESOLVE);
        expect(on, CmEventType.ADDR_RESOLVED);
        return id;
    }

    private Future<?> elsewhere(Callable<?> work) {
        return other.submit(work);
    }

    private static void await(Future<?> work) throws Exception {
        work.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void theNextIdGetsTheContextWhileSomethingOnItIsOpen() throws Exception {
        CmId first = addressed(channel);
        DeviceContext context = first.context();
        ProtectionDomain shared = first.pd();
        try (ProtectionDomain own = context.allocatePd();
                CompletionQueue cq = context.createCq(8)) {
            first.close();
            try (CmId second = addressed(channel)) {
                assertThat(second.context()).isSameAs(context);
                QueuePairOptions options = QueuePairOptions.builder().cq(cq).build();
                assertThat(second.createQp(own, options).qpn()).isPositive();
                assertThat(shared.isClosed()).isTrue();
                assertThat(second.pd().isClosed()).isFalse();
            }
            assertThat(context.isClosed()).isFalse();
        }
        assertThat(context.isClosed()).isTrue();
        try (CmId third = addressed(channel)) {
            assertThat(third.context()).isNotSameAs(context);
        }
    }

    @Test
    void theNextIdGetsTheProtectionDomainWhileSomethingInItIsOpen() throws Exception {
        CmId first = addressed(channel);
        ProtectionDomain shared = first.pd();
        try (SharedReceiveQueue srq = shared.createSrq(SharedReceiveQueueOptions.DEFAULT)) {
            first.close();
            try (CmId second = addressed(channel)) {
                assertThat(second.pd()).isSameAs(shared);
            }
            assertThat(srq.isClosed()).isFalse();
        }
        assertThat(shared.isClosed()).isTrue();
    }

    @Test
    void aFailureLeavesTheContextToItsOtherUsers() throws Exception {
        CmId first = addressed(channel);
        DeviceContext context = first.context();
        try (CompletionQueue cq = context.createCq(8)) {
            first.close();
            model.failNext(ModelCommand.ALLOC_PD, Errno.ENOMEM);
            assertThatThrownBy(() -> addressed(channel)).hasMessageContaining("ADDR_ERROR");
            assertThat(cq.isClosed()).isFalse();
        }
        assertThat(context.isClosed()).isTrue();
        model.assertFaultsUsed();
    }

    @Test
    void anIdWhoseContextWasClosedLeavesTheNextContextOpen() throws Exception {
        CmId stranded = addressed(channel);
        stranded.context().close();
        try (CmId next = addressed(channel)) {
            assertThat(next.context()).isNotSameAs(stranded.context());
            stranded.close();
            assertThat(next.createQp(QueuePairOptions.DEFAULT).qpn()).isPositive();
        }
    }

    @Test
    void aContextThatIsBeingClosedIsNotGivenToTheNextId() throws Exception {
        CmId stranded = addressed(channel);
        DeviceContext closing = stranded.context();
        try (Pause pause = model.pauseNext(ModelCommand.MODIFY_QP)) {
            Future<?> creation = elsewhere(() -> stranded.createQp(QueuePairOptions.DEFAULT));
            pause.awaitCommand();
            Future<?> closure = elsewhere(() -> {
                closing.close();
                return true;
            });
            awaitClosing(closing);
            try (CmId next = addressed(channel)) {
                assertThat(next.context()).isNotSameAs(closing);
                assertThat(next.createQp(QueuePairOptions.DEFAULT).qpn()).isPositive();
            }
            pause.end();
            await(creation);
            await(closure);
        }
        stranded.close();
    }

    private static void awaitClosing(DeviceContext context) throws RdmaException {
        try {
            while (true) {
                context.allocatePd().close();
            }
        } catch (IllegalStateException closing) {
            // Nothing more is made on it.
        }
    }

    @Test
    void idsThatComeAndGoAtTheSameTimeFindTheContextOpen() throws Exception {
        List<Future<?>> users = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            users.add(elsewhere(() -> {
                try (EventChannel own = EventChannel.open(model.kernel())) {
                    for (int round = 0; round < ROUNDS; round++) {
                        try (CmId id = addressed(own)) {
                            assertThat(id.createQp(QueuePairOptions.DEFAULT).qpn())
                                    .isPositive();
                        }
                    }
                }
                return true;
            }));
        }
        for (Future<?> user : users) {
            await(user);
        }
    }

    @Test
    void queuesOfAnIdThatIsClosedMeanwhileGoWithTheId() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            CmId id = addressed(channel);
            try (Pause pause = model.pauseNext(ModelCommand.MODIFY_QP)) {
                Future<?> creation = elsewhere(() -> {
                    try {
                        return id.queues().createOwn(QueuePairOptions.DEFAULT);
                    } catch (IllegalStateException closed) {
                        return closed;
                    }
                });
                pause.awaitCommand();
                Future<?> closure = elsewhere(() -> {
                    id.close();
                    return true;
                });
                pause.end();
                await(creation);
                await(closure);
            }
            assertThat(model.verbsObjects()).isEmpty();
        }
    }
}
