// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostSend;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ModelKernel;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Objects of a device in memory, destroyed while others use them; and what a prepared call tells the device. */
class InUseTest {
    private static final int EBUSY = 16;

    private final ModelKernel kernel = new ModelKernel();
    private DeviceContext device;
    private Handles.Context context;
    private IbvPd pd;

    @BeforeEach
    void open() throws IOException {
        device = kernel.open();
        context = new Handles.Context(device);
        pd = context.allocPd();
    }

    @AfterEach
    void close() throws IOException {
        device.close();
        kernel.assertClean();
    }

    private IbvMr region(ByteBuffer buffer) throws IOException {
        return pd.regMr(buffer, IbvMr.IBV_ACCESS_LOCAL_WRITE).execute().free().getMr();
    }

    @Test
    void aDomainGoesWithItsLastRegion() throws Exception {
        IbvMr mr = region(ByteBuffer.allocateDirect(64));
        assertThat(pd.deallocPd()).isEqualTo(EBUSY);
        assertThat(pd.isOpen()).isFalse();
        assertThatThrownBy(pd::deallocPd).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> region(ByteBuffer.allocateDirect(64)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is closed");
        mr.deregMr().execute();
        assertThat(kernel.objects()).isEmpty();
        assertThat(context.allocPd().deallocPd()).isZero();
    }

    @Test
    void aChannelGoesWithItsLastQueue() throws Exception {
        IbvCompChannel channel = context.createCompChannel();
        IbvCQ cq = context.createCQ(channel, 3, 0);
        assertThat(channel.destroyCompChannel()).isEqualTo(EBUSY);
        assertThat(cq.destroyCQ()).isZero();
        assertThat(((Handles.CompChannel) channel).channel.isClosed()).isTrue();
        assertThat(context.createCompChannel().destroyCompChannel()).isZero();
    }

    @Test
    void aQueueGoesWithItsLastQueuePair() throws Exception {
        Handles.Cq cq = (Handles.Cq) context.createCQ(context.createCompChannel(), 3, 0);
        QueuePair qp = ((Handles.Pd) pd)
                .pd.createQp(QueuePairOptions.builder().cq(cq.cq).build());
        assertThat(cq.destroyCQ()).isEqualTo(EBUSY);
        assertThatThrownBy(() -> cq.poll(new com.ibm.disni.verbs.IbvWC[1], 1).execute())
                .isInstanceOf(IOException.class);
        qp.close();
        assertThat(cq.cq.isClosed()).isTrue();
    }

    private Handles.Qp queuePair() throws IOException {
        Handles.Cq cq = (Handles.Cq) context.createCQ(context.createCompChannel(), 3, 0);
        QueuePair qp = ((Handles.Pd) pd)
                .pd.createQp(QueuePairOptions.builder().cq(cq.cq).maxInline(16).build());
        return new Handles.Qp(qp, (Handles.Pd) pd, cq, cq);
    }

    private static IbvSendWR request(IbvMr mr, int length) {
        IbvSge piece = new IbvSge();
        piece.setAddr(mr.getAddr());
        piece.setLength(length);
        piece.setLkey(mr.getLkey());
        IbvSendWR request = new IbvSendWR();
        request.setOpcode(IbvSendWR.IBV_WR_SEND);
        request.getSg_list().add(piece);
        request.setNum_sge(1);
        return request;
    }

    @Test
    void aPreparedCallTakesWhatIsSetAnew() throws IOException {
        IbvMr mr = region(ByteBuffer.allocateDirect(64));
        SendWr wr = new SendWr(queuePair(), request(mr, 0));
        wr.prepare();
        assertThat(wr.request.size()).isZero();
        assertThat(wr.changed).isFalse();
        SVCPostSend.SgeMod piece = wr.getSgeMod(0);
        piece.setAddr(mr.getAddr() + 8);
        piece.setLength(4);
        wr.setWr_id(5);
        assertThat(wr.changed).isTrue();
        wr.prepare();
        assertThat(wr.request.size()).isEqualTo(1);
        assertThat(wr.request.totalLength()).isEqualTo(4);
        assertThat(wr.request.wrId()).isEqualTo(5);
        piece.setAddr(mr.getAddr() + 61);
        assertThatThrownBy(wr::prepare).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void aPieceWithoutBytesIsLeftOutAndComesBack() throws IOException {
        IbvMr mr = region(ByteBuffer.allocateDirect(64));
        SendWr wr = new SendWr(queuePair(), request(mr, 8));
        wr.prepare();
        SVCPostSend.SgeMod piece = wr.getSgeMod(0);
        piece.setLength(0);
        piece.setLkey(0);
        wr.prepare();
        assertThat(wr.request.size()).isZero();
        piece.setLength(5);
        piece.setLkey(mr.getLkey());
        wr.prepare();
        assertThat(wr.request.size()).isEqualTo(1);
        assertThat(wr.request.totalLength()).isEqualTo(5);
    }

    @Test
    void aNewRegionWithTheKeyOfAClosedRegionIsFound() throws IOException {
        IbvMr mr = region(ByteBuffer.allocateDirect(64));
        SendWr wr = new SendWr(queuePair(), request(mr, 8));
        wr.prepare();
        mr.deregMr().execute();
        IbvMr other = region(ByteBuffer.allocateDirect(16));
        assertThat(other.getLkey()).isEqualTo(mr.getLkey());
        SVCPostSend.SgeMod piece = wr.getSgeMod(0);
        piece.setAddr(other.getAddr());
        piece.setLength(16);
        wr.prepare();
        assertThat(wr.request.totalLength()).isEqualTo(16);
        piece.setLength(17);
        assertThatThrownBy(wr::prepare).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void aCallKeepsACopyOfItsRequest() throws IOException {
        IbvMr mr = region(ByteBuffer.allocateDirect(64));
        IbvSendWR request = request(mr, 8);
        SendWr wr = new SendWr(queuePair(), request);
        request.getSge(0).setLength(9);
        request.setOpcode(IbvSendWR.IBV_WR_RDMA_READ);
        wr.prepare();
        assertThat(wr.getOpcode()).isEqualTo(IbvSendWR.IBV_WR_SEND);
        assertThat(wr.request.totalLength()).isEqualTo(8);
    }

    @Test
    void aKeyOfNoRegionIsRefused() throws IOException {
        IbvMr mr = region(ByteBuffer.allocateDirect(64));
        SendWr wr = new SendWr(queuePair(), request(mr, 8));
        wr.getSgeMod(0).setLkey(mr.getLkey() + 1);
        assertThatThrownBy(wr::prepare).isInstanceOf(IOException.class).hasMessageContaining("local key");
        wr.getSgeMod(0).setLkey(mr.getLkey());
        mr.deregMr().execute();
        assertThatThrownBy(wr::prepare).isInstanceOf(IOException.class);
    }

    /** The device takes one byte. */
    @Test
    void inlineDataIsGatheredForEachPost() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(64);
        IbvMr mr = region(bytes);
        IbvSendWR request = request(mr, 1);
        request.setSend_flags(IbvSendWR.IBV_SEND_INLINE);
        SendWr wr = new SendWr(queuePair(), request);
        mr.deregMr().execute();
        wr.prepare();
        assertThat(wr.changed).isTrue();
        assertThat(wr.request.totalLength()).isEqualTo(1);
        wr.getSgeMod(0).setLength(2);
        assertThatThrownBy(wr::prepare).isInstanceOf(IllegalArgumentException.class);
    }
}
