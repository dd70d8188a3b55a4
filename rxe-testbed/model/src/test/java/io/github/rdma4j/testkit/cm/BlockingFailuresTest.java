// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import static io.github.rdma4j.testkit.cm.TwoSides.LIMIT;
import static io.github.rdma4j.testkit.cm.TwoSides.expect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.testkit.model.ModelCommand;
import io.github.rdma4j.testkit.model.ModelRdmaCm;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A synchronous id that cannot be made leaves nothing, whatever the reason, and tells the reason. */
@Timeout(60)
class BlockingFailuresTest {
    private final Error error = new StackOverflowError("of the test");
    private final ModelRdmaCm model = new ModelRdmaCm();
    private final AtomicReference<Error> whenMigrating = new AtomicReference<>();
    private final AtomicReference<Error> afterClose = new AtomicReference<>();
    private final AtomicReference<Error> afterCreating = new AtomicReference<>();
    private final Kernel kernel = HookedKernel.of(model, this::beforeCommand, () -> throwOnce(afterClose));

    private boolean beforeCommand(ByteBuffer command) {
        int number = command.order(ByteOrder.nativeOrder()).getInt(0);
        if (number == CmCommands.RDMA_USER_CM_CMD_MIGRATE_ID) {
            throwOnce(whenMigrating);
        } else if (number == CmCommands.RDMA_USER_CM_CMD_CREATE_ID) {
            afterClose.set(afterCreating.getAndSet(null));
        }
        return false;
    }

    private static void throwOnce(AtomicReference<Error> planned) {
        Error error = planned.getAndSet(null);
        if (error != null) {
            throw error;
        }
    }

    @AfterEach
    void nothingIsLeft() {
        model.assertNothingLeft();
    }

    @Test
    void aFailureToCloseDoesNotHideTheReason() {
        model.failNext(ModelCommand.CREATE_ID, Errno.ENOMEM);
        Error second = new AssertionError("close(2) of the test");
        afterCreating.set(second);
        assertThatThrownBy(() -> BlockingCmId.create(kernel, PortSpace.TCP))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("ENOMEM")
                .hasSuppressedException(second);
    }

    @Test
    void anErrorDuringTheTakeoverOfAnIdLeavesNoChannel() throws Exception {
        try (EventChannel channel = EventChannel.open(kernel);
                CmId id = channel.createId(PortSpace.TCP)) {
            int before = model.descriptors();
            whenMigrating.set(error);
            assertThatThrownBy(() -> BlockingCmId.of(id, LIMIT)).isSameAs(error);
            assertThat(model.descriptors()).isEqualTo(before);
            assertThat(id.channel()).isSameAs(channel);
            BlockingCmId.of(id, LIMIT).close();
        }
    }

    @Test
    void anErrorWhileARequestIsTakenRejectsIt() throws Exception {
        try (EventChannel clients = EventChannel.open(kernel);
                BlockingCmId listener = BlockingCmId.create(kernel, PortSpace.TCP)) {
            listener.bind(Place.of(model).newAddress());
            listener.listen(4);
            CmId client = TwoSides.routed(clients, listener.id());
            client.connect(TwoSides.saying("hello"));
            whenMigrating.set(error);
            assertThatThrownBy(() -> listener.getRequest(LIMIT)).isSameAs(error);
            expect(clients, CmEventType.REJECTED);
        }
    }
}
