// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands.IB_USER_VERBS_CMD_MODIFY_QP;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Background;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The commands that move a queue pair of soft-RoCE to ERR, which flushes only the receives that it finds. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MoveToErrorTest {
    private final ModelKernel kernel = new ModelKernel();
    private DeviceContext context;
    private QueuePair qp;

    @BeforeEach
    void open() throws RdmaException {
        context = kernel.open();
        qp = context.allocatePd()
                .createQp(QueuePairOptions.builder().cq(context.createCq(2)).build());
        qp.modify(QpAttr.builder().state(QpState.INIT).build());
    }

    @AfterEach
    void close() throws RdmaException {
        context.close();
        kernel.assertClean();
    }

    private void receive() throws RdmaException {
        qp.postReceive(new ReceiveWorkRequest(0).wrId(1));
    }

    @Test
    void oneCommandFlushesWhatWasPostedBefore() throws RdmaException {
        receive();
        int before = kernel.calls();
        qp.moveToError();
        assertThat(kernel.calls() - before).isEqualTo(1);
    }

    @Test
    void aSecondCommandFlushesWhatIsPostedDuringTheFirst() throws Exception {
        ModelKernel.Gate first = kernel.hold(IB_USER_VERBS_CMD_MODIFY_QP);
        int before = kernel.calls();
        Future<?> moving = Background.start(() -> {
            qp.moveToError();
            return qp;
        });
        first.awaitCall();
        receive();
        first.open();
        moving.get();
        assertThat(kernel.calls() - before).isEqualTo(2);
    }

    @Test
    void aSecondCommandFlushesWhatIsPostedAfterTheFirst() throws RdmaException {
        qp.moveToError();
        int before = kernel.calls();
        receive();
        assertThat(kernel.calls() - before).isEqualTo(1);
    }
}
