// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ModelKernel;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Prepared calls that are executed again: after their memory was registered anew, and by several threads. */
class RepeatedCallsTest {
    /** What the device takes inline, and in one piece. */
    private static final int BYTES = 1;

    private static final int DATA = 384;
    private static final int SLOT = 512;

    /** Of struct rxe_send_wqe: dma.length. */
    private static final int LENGTH = 184;

    private static final Set<Thread.State> SLEEPING = EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

    private final ModelKernel kernel = new ModelKernel();
    private DeviceContext device;
    private IbvPd pd;
    private Handles.Qp qp;
    private List<ByteBuffer> rings;

    @BeforeEach
    void open() throws IOException {
        device = kernel.open();
        Handles.Context context = new Handles.Context(device);
        pd = context.allocPd();
        Handles.Cq cq = (Handles.Cq) context.createCQ(context.createCompChannel(), 3, 0);
        kernel.queues().takeFresh();
        QueuePair pair = ((Handles.Pd) pd)
                .pd.createQp(
                        QueuePairOptions.builder().cq(cq.cq).maxInline(BYTES).build());
        rings = kernel.queues().takeFresh();
        pair.modify(QpAttr.builder().state(QpState.RTS).build());
        qp = new Handles.Qp(pair, (Handles.Pd) pd, cq, cq);
    }

    @AfterEach
    void close() throws IOException {
        device.close();
        kernel.assertClean();
    }

    private IbvMr region(ByteBuffer buffer) throws IOException {
        return pd.regMr(buffer, IbvMr.IBV_ACCESS_LOCAL_WRITE).execute().free().getMr();
    }

    private static IbvSge piece(IbvMr mr) {
        IbvSge piece = new IbvSge();
        piece.setAddr(mr.getAddr());
        piece.setLength(BYTES);
        piece.setLkey(mr.getLkey());
        return piece;
    }

    private SVCPostSend send(IbvMr mr, int flags) {
        IbvSendWR request = new IbvSendWR();
        request.setOpcode(IbvSendWR.IBV_WR_SEND);
        request.setSend_flags(flags);
        request.getSg_list().add(piece(mr));
        request.setNum_sge(1);
        return new PostSend(qp, List.of(request));
    }

    /** The kernel gives the key of a region that is gone to the next region. */
    private void registerAnew(IbvMr mr, ByteBuffer memory) throws IOException {
        mr.deregMr().execute();
        assertThat(region(memory).getLkey()).isEqualTo(mr.getLkey());
    }

    @Test
    void aSendGoesOnAfterItsMemoryWasRegisteredAnew() throws Exception {
        ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);
        IbvMr mr = region(memory);
        SVCPostSend send = send(mr, 0);
        send.execute();
        registerAnew(mr, memory);
        send.execute();
    }

    @Test
    void aReceiveGoesOnAfterItsMemoryWasRegisteredAnew() throws Exception {
        ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);
        IbvMr mr = region(memory);
        IbvRecvWR request = new IbvRecvWR();
        request.setSg_list(new IbvSendWR().getSg_list()); // it has no list of its own
        request.getSg_list().add(piece(mr));
        request.setNum_sge(1);
        SVCPostRecv receive = new PostReceive(qp, List.of(request));
        receive.execute();
        registerAnew(mr, memory);
        receive.execute();
    }

    /**
     * Inline data is gathered for each post. While a thread waits to post what it has gathered, another does not begin to gather: here
     * the other fails half-way, and leaves an empty request.
     */
    @Test
    void aSendThatAThreadIsAboutToPostIsNotMadeAnewByAnother() throws Exception {
        SVCPostSend send = send(region(ByteBuffer.allocateDirect(BYTES)), IbvSendWR.IBV_SEND_INLINE);
        ModelKernel.Gate doorbell = kernel.hold(WriteCommands.IB_USER_VERBS_CMD_POST_SEND);
        FutureTask<Object> before = new FutureTask<>(() -> qp.qp.tryPostSend(new SendWorkRequest(0).send()));
        start(before);
        doorbell.awaitCall();
        FutureTask<Object> first = new FutureTask<>(send::execute);
        awaitSleep(start(first), first);
        send.getWrMod(0).getSgeMod(0).setLength(BYTES + 1);
        FutureTask<Object> second = new FutureTask<>(send::execute);
        awaitSleep(start(second), second);
        doorbell.open();
        first.get();
        assertThatThrownBy(second::get).hasMessageContaining("inline data");
        assertThat(before.get()).isEqualTo(true);
        assertThat(rings.get(0).getInt(DATA + SLOT + LENGTH))
                .as("bytes of the send")
                .isEqualTo(BYTES);
    }

    private static Thread start(FutureTask<Object> work) {
        Thread thread = new Thread(work);
        thread.start();
        return thread;
    }

    /** Waits until a thread waits for another, or is done. */
    private static void awaitSleep(Thread thread, FutureTask<Object> work) {
        while (!SLEEPING.contains(thread.getState()) && !work.isDone()) {
            Thread.onSpinWait();
        }
    }
}
