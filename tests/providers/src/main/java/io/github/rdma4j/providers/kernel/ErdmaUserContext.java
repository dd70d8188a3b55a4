// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.*;

import io.github.rdma4j.internal.erdma.Elements;
import io.github.rdma4j.internal.erdma.ErdmaAbi.AllocCtxResp;
import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateCq;
import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateCqResp;
import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateQp;
import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateQpResp;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.testkit.Mappings;
import io.github.rdma4j.internal.testkit.OpenFile;
import io.github.rdma4j.internal.uverbs.QpCapBytes;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.CardCq;
import io.github.rdma4j.providers.card.CardQp;
import io.github.rdma4j.providers.card.ErdmaCq;
import io.github.rdma4j.providers.card.ErdmaPages;
import io.github.rdma4j.providers.card.ErdmaQpSpec;
import io.github.rdma4j.providers.card.Pinned;
import io.github.rdma4j.providers.card.QpSpec;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A context of erdma: three pages of doorbells, and queues in memory of the process. */
final class ErdmaUserContext extends UserContext {
    private static final int PAGES = 3;
    private static final int ENTRY_TYPE = 1;
    private static final int SHARED_TYPE = 2;
    private static final int ENTRY_BYTES = 256;
    private static final int RECORD_BYTES = 8;
    private static final int RECORDS_BYTES = 16;

    private final Hca hca;
    private final UverbsFile file;
    private final int sendEntry;
    private final List<Page> pages = new ArrayList<>();
    private final ErdmaPages doorbells;

    /** A page of doorbells, which the process can map once. */
    private static final class Page {
        private final long address;
        private final Pinned pin;
        private final long offset;
        private boolean mapped;

        Page(long address, Pinned pin, long offset) {
            this.address = address;
            this.pin = pin;
            this.offset = offset;
        }
    }

    ErdmaUserContext(Hca hca, UverbsFile file) {
        this.hca = hca;
        this.file = file;
        this.sendEntry = ((ErdmaSettings) hca.settings()).sendEntry;
        int index = hca.newNumber();
        for (int i = 0; i < PAGES; i++) {
            long address = NativeMemory.address(hca.memory().allocate(Mappings.PAGE));
            long offset = (long) (index * PAGES + i) * Mappings.PAGE;
            pages.add(new Page(address, hca.memory().pin(address, Mappings.PAGE), offset));
        }
        this.doorbells = new ErdmaPages(
                index,
                pages.get(0).pin,
                pages.get(1).pin,
                pages.get(2).pin,
                sendEntry < 0 ? -1 : sendEntry * ENTRY_BYTES);
        hca.card().addPage(doorbells);
    }

    @Override
    void answer(ByteBuffer room) throws Refusal {
        Refusal.unless(room.capacity() >= AllocCtxResp.BYTES, Errno.EINVAL);
        room.putInt(AllocCtxResp.DEV_ID, 0x107f)
                .putInt(AllocCtxResp.SDB_TYPE, sendEntry < 0 ? SHARED_TYPE : ENTRY_TYPE)
                .putInt(AllocCtxResp.SDB_OFFSET, Math.max(0, sendEntry))
                .putLong(AllocCtxResp.SDB, pages.get(0).offset)
                .putLong(AllocCtxResp.RDB, pages.get(1).offset)
                .putLong(AllocCtxResp.CDB, pages.get(2).offset);
    }

    @Override
    long map(long offset, int length) {
        for (Page page : pages) {
            if (page.offset == offset && length == Mappings.PAGE && !page.mapped) {
                page.mapped = true;
                return page.address;
            }
        }
        return OpenFile.refused(Errno.EINVAL);
    }

    @Override
    void lose() {
        doorbells.remove();
        pages.forEach(page -> hca.memory().clear(page.address, Mappings.PAGE));
    }

    @Override
    void close() {
        hca.card().removePage(doorbells.index());
        for (Page page : pages) {
            hca.memory().unpin(page.pin);
            if (!page.mapped) {
                hca.memory().free(page.address);
            }
        }
    }

    private static int powerOfTwo(int number) {
        return number <= 1 ? 1 : Integer.highestOneBit(number - 1) << 1;
    }

    @Override
    void createCq(IoctlFrame frame) throws Refusal {
        QueueCommand command = new QueueCommand(hca, file, frame);
        int depth = powerOfTwo(command.completions(ErdmaModel.MOST_COMPLETIONS));
        ByteBuffer driver = command.driverRequest(CreateCq.BYTES);
        int bytes = driver.getInt(CreateCq.QBUF_LEN);
        Refusal.unless(bytes >= depth * Elements.BLOCK, Errno.EINVAL);
        QueueObject.Pins pins = QueueObject.pin(
                hca, driver.getLong(CreateCq.QBUF_VA), bytes, driver.getLong(CreateCq.DB_RECORD_VA), RECORD_BYTES);
        CardCq cq =
                hca.card().createCq(new ErdmaCq.Place(hca.newNumber(), depth, pins.ring(), pins.record(), doorbells));
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
        KernelObject.Pd pd = command.use(KernelObject.Pd.class, UVERBS_ATTR_CREATE_QP_PD_HANDLE);
        QueueObject.Cq sends = command.use(QueueObject.Cq.class, UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE);
        QueueObject.Cq receives = command.use(QueueObject.Cq.class, UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE);
        ByteBuffer driver = command.driverRequest(CreateQp.BYTES);
        Sizes sizes = Sizes.of(cap);
        int bytes = driver.getInt(CreateQp.QBUF_LEN);
        Refusal.unless(bytes >= sizes.bytes(), Errno.EINVAL);
        QueueObject.Pins pins = QueueObject.pin(
                hca, driver.getLong(CreateQp.QBUF_VA), bytes, driver.getLong(CreateQp.DB_RECORD_VA), RECORDS_BYTES);
        CardQp qp = hca.card()
                .createQp(new ErdmaQpSpec(
                        hca.newNumber(),
                        pd.number(),
                        pins.ring(),
                        pins.record(),
                        sizes.blocks(),
                        sizes.entries(),
                        sizes.receivesAt(),
                        doorbells,
                        sends.cq(),
                        receives.cq()));
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

    private static void check(QpCap cap) throws Refusal {
        boolean sends = cap.maxSendWr() > 0
                && cap.maxSendWr() <= ErdmaModel.MOST_REQUESTS
                && cap.maxSendSge() <= Elements.MOST_SEND_PIECES
                && cap.maxInline() <= Elements.MOST_INLINE;
        boolean receives = cap.maxReceiveWr() > 0
                && cap.maxReceiveWr() <= ErdmaModel.MOST_REQUESTS
                && cap.maxReceiveSge() <= Elements.MOST_RECEIVE_PIECES;
        Refusal.unless(sends && receives, Errno.EINVAL);
    }
}
