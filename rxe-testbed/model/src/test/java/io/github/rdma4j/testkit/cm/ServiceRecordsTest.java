// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.IbServiceRecord;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.ucm.IbService.IbServiceRecordBytes;
import io.github.rdma4j.internal.ucm.IbService.QueryIbServiceReply;
import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import io.github.rdma4j.internal.ucm.UcmCommand.LaterCommands;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.testkit.model.ModelRdmaCm;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A kernel that has more records of a service than the first reply has room for. */
class ServiceRecordsTest {
    private static final int RESPONSE = 8;
    private static final int OPTION = 20;

    private final ModelRdmaCm model = new ModelRdmaCm();
    private int total;
    private int queries;

    /** Writes as many records as there is room for, as the kernel does. */
    private boolean answer(ByteBuffer command) {
        command.order(ByteOrder.nativeOrder());
        if (command.getInt(0) != CmCommands.RDMA_USER_CM_CMD_QUERY
                || command.getInt(OPTION) != LaterCommands.RDMA_USER_CM_QUERY_IB_SERVICE) {
            return false;
        }
        queries++;
        int length = Short.toUnsignedInt(command.getShort(6));
        ByteBuffer reply = NativeMemory.view(command.getLong(RESPONSE), length).order(ByteOrder.nativeOrder());
        reply.putInt(0, total);
        int records = QueryIbServiceReply.bytes(0);
        for (int i = 0; i < total && QueryIbServiceReply.bytes(i + 1) <= length; i++) {
            reply.duplicate().putLong(records + i * IbServiceRecordBytes.BYTES + IbServiceRecordBytes.ID, i + 1L);
        }
        return true;
    }

    private LongStream ids() throws RdmaException {
        Kernel kernel = HookedKernel.of(model, this::answer, () -> {});
        try (EventChannel channel = EventChannel.open(kernel);
                CmId id = channel.createId(PortSpace.TCP)) {
            return id.services().resolved().stream().mapToLong(IbServiceRecord::serviceId);
        }
    }

    @AfterEach
    void nothingIsLeft() {
        model.assertNothingLeft();
    }

    @Test
    void fewRecordsNeedOneQuery() throws Exception {
        total = 40;
        assertThat(ids())
                .containsExactly(LongStream.rangeClosed(1, total).boxed().toArray(Long[]::new));
        assertThat(queries).isOne();
    }

    @Test
    void moreRecordsAreAskedForAgain() throws Exception {
        total = 300;
        assertThat(ids())
                .containsExactly(LongStream.rangeClosed(1, total).boxed().toArray(Long[]::new));
        assertThat(queries).isEqualTo(2);
    }

    @Test
    void recordsThatFitIntoNoReplyAreNotCutOff() {
        total = 1000;
        assertThatThrownBy(this::ids)
                .isInstanceOf(RdmaException.class)
                .hasMessageContaining("1000 records")
                .hasMessageContaining("at most 372");
    }
}
