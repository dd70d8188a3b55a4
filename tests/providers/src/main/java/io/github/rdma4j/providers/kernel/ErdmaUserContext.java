// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.*;

import io.github.rdma4j.internal.erdma.Elements;
import io.github.rdma4j.internal.erdma.ErdmaAbi.AllocCtxResp;
import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateCq;
import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateCqResp;
import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateQp;
import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateQpResp;
import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.testkit.Mappings;
import io.github.rdma4j.internal.testkit.OpenFile;
import io.github.rdma4j.internal.uverbs.DeviceAttrBytes;
import io.github.rdma4j.internal.uverbs.QpAttrBytes.QpCapBytes;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.CardCq;
import io.github.rdma4j.providers.card.CardQp;
import io.github.rdma4j.providers.card.ErdmaCq;
import io.github.rdma4j.providers.card.ErdmaPages;
import io.github.rdma4j.providers.card.ErdmaRings;
import io.github.rdma4j.providers.card.QpSpec;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.util.List;

/** A context of erdma: three pages of doorbells, and queues in memory of the process. */
final class ErdmaUserContext extends UserContext {
    private static final int ENTRY_TYPE = 1;
    private static final int SHARED_TYPE = 2;
    private static final int ENTRY_BYTES = 256;
    private static final int RECORD_BYTES = 8;
    private static final int RECORDS_BYTES = 16;

    private final ErdmaSettings settings;
    private final List<SharedPage> pages;
    private final ErdmaPages doorbells;

    ErdmaUserContext(Hca hca, UverbsFile file, ErdmaSettings settings) {
        super(hca, file);
        this.settings = settings;
        int index = hca.newNumber();
        this.pages = List.of(new SharedPage(hca), new SharedPage(hca), new SharedPage(hca));
        int sendsAt = settings.sendEntry < 0 ? -1 : settings.sendEntry * ENTRY_BYTES;
        ErdmaPages made = new ErdmaPages(
                index, pages.get(0).pin(), pages.get(1).pin(), pages.get(2).pin(), sendsAt);
        this.doorbells = has(made, pages.toArray(SharedPage[]::new));
    }

    private long offset(int page) {
        return (long) (doorbells.index() * pages.size() + page) * Mappings.PAGE;
    }

    @Override
    void answer(ByteBuffer room) throws Refusal {
        Refusal.unless(room.capacity() >= AllocCtxResp.BYTES, Errno.EINVAL);
        room.putInt(AllocCtxResp.DEV_ID, 0x107f)
                .putInt(AllocCtxResp.SDB_TYPE, settings.sendEntry < 0 ? SHARED_TYPE : ENTRY_TYPE)
                .putInt(AllocCtxResp.SDB_OFFSET, Math.max(0, settings.sendEntry))
                .putLong(AllocCtxResp.SDB, offset(0))
                .putLong(AllocCtxResp.RDB, offset(1))
                .putLong(AllocCtxResp.CDB, offset(2));
    }

    @Override
    long map(long offset, int length) {
        for (int i = 0; i < pages.size(); i++) {
            if (offset(i) == offset) {
                return pages.get(i).map(length);
            }
        }
        return OpenFile.refused(Errno.EINVAL);
    }

    @Override
    void createCq(IoctlFrame frame) throws Refusal {
        QueueCommand command = new QueueCommand(hca, file, frame);
        int depth = powerOfTwo(command.completions(settings.model().most(DeviceAttrBytes.MAX_CQE)));
        ByteBuffer driver = command.driverRequest(CreateCq.BYTES);
        int bytes = driver.getInt(CreateCq.QBUF_LEN);
        Refusal.unless(bytes >= depth * Elements.BLOCK, Errno.EINVAL);
        QueueObject.Pins pins = QueueObject.pin(
                hca, driver.getLong(CreateCq.QBUF_VA), bytes, driver.getLong(CreateCq.DB_RECORD_VA), RECORD_BYTES);
        CardCq cq = hca.card()
                .createCq(new ErdmaCq(
                        hca.card(), new ErdmaCq.Place(hca.newNumber(), depth, pins.ring(), pins.record(), doorbells)));
        ByteBuffer reply = frame.output(UVERBS_ATTR_UHW_OUT);
        if (reply.capacity() >= CreateCqResp.BYTES) {
            reply.putInt(CreateCqResp.CQ_ID, cq.number()).putInt(CreateCqResp.NUM_CQE, depth);
        }
        command.made(cq, pins, depth);
    }

    @Override
    void createQp(IoctlFrame frame) throws Refusal {
        hca.admit(KernelCommand.CREATE_QP);
        QueueCommand command = new QueueCommand(hca, file, frame);
        QpCap cap = QpCapBytes.decode(frame.input(UVERBS_ATTR_CREATE_QP_CAP), 0);
        Refusal.unless(frame.number(UVERBS_ATTR_CREATE_QP_TYPE) == QpSpec.RC, Errno.EOPNOTSUPP);
        Refusal.unless(!frame.has(UVERBS_ATTR_CREATE_QP_SRQ_HANDLE), Errno.EOPNOTSUPP);
        check(cap);
        QueueCommand.Ends ends = command.ends(true);
        ByteBuffer driver = command.driverRequest(CreateQp.BYTES);
        Sizes sizes = Sizes.of(cap);
        int bytes = driver.getInt(CreateQp.QBUF_LEN);
        Refusal.unless(bytes >= sizes.bytes(), Errno.EINVAL);
        QueueObject.Pins pins = QueueObject.pin(
                hca, driver.getLong(CreateQp.QBUF_VA), bytes, driver.getLong(CreateQp.DB_RECORD_VA), RECORDS_BYTES);
        ErdmaRings rings = new ErdmaRings(
                pins.ring(), pins.record(), sizes.blocks(), sizes.entries(), sizes.receivesAt(), doorbells);
        CardQp qp = hca.card().createQp(ends.spec(hca.newNumber(), QpSpec.RC, rings));
        command.driverReply(CreateQpResp.BYTES)
                .putInt(CreateQpResp.QP_ID, qp.qpn())
                .putInt(CreateQpResp.NUM_SQE, sizes.blocks())
                .putInt(CreateQpResp.NUM_RQE, sizes.entries())
                .putInt(CreateQpResp.RQ_OFFSET, sizes.receivesAt());
        command.made(command.queuePair(qp, pins));
    }

    /** The sizes of the rings of a queue pair. */
    private record Sizes(int blocks, int entries, int receivesAt) {
        static Sizes of(QpCap cap) {
            int blocks = powerOfTwo(cap.maxSendWr() * Elements.MOST_BLOCKS);
            int receivesAt = blocks * Elements.BLOCK + Mappings.PAGE - 1 & -Mappings.PAGE;
            return new Sizes(blocks, powerOfTwo(cap.maxReceiveWr()), receivesAt);
        }

        int bytes() {
            return receivesAt + entries * Elements.BLOCK;
        }
    }

    private void check(QpCap cap) throws Refusal {
        int most = settings.model().most(DeviceAttrBytes.MAX_QP_WR);
        boolean sends = cap.maxSendWr() > 0
                && cap.maxSendWr() <= most
                && cap.maxSendSge() <= Elements.MOST_SEND_PIECES
                && cap.maxInline() <= Elements.MOST_INLINE;
        boolean receives = cap.maxReceiveWr() > 0
                && cap.maxReceiveWr() <= most
                && cap.maxReceiveSge() <= Elements.MOST_RECEIVE_PIECES;
        Refusal.unless(sends && receives, Errno.EINVAL);
    }
}
