// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.*;
import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsMethods.*;
import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsObjects.*;

import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.uverbs.GidBytes.GidEntryBytes;
import io.github.rdma4j.internal.uverbs.PortAttrBytes;
import io.github.rdma4j.kernel.Errno;
import java.nio.ByteBuffer;

/** The ioctl methods of the verbs that have no command of write(2), and those that only the driver has. */
final class Methods {
    static final int UHW_IN = UVERBS_ATTR_UHW_IN;
    static final int UHW_OUT = UVERBS_ATTR_UHW_OUT;

    private static final int QUERY_GID_ENTRY = 6;
    private static final int GID_INDEX = 1;
    private static final int GID_ENTRY = 3;
    private static final int ETHERNET = 2;
    private static final int ROCE_V1 = 1;
    private static final int ROCE_V2 = 2;

    private final Hca hca;
    private final UverbsFile file;

    Methods(Hca hca, UverbsFile file) {
        this.hca = hca;
        this.file = file;
    }

    void carryOut(IoctlFrame frame) throws Refusal {
        Refusal.unless(!hca.isRemoved(), Errno.EIO);
        switch (frame.object()) {
            case UVERBS_OBJECT_DEVICE -> device(frame);
            case UVERBS_OBJECT_ASYNC_EVENT ->
                frame.made(UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE, hca.descriptor(file.async()));
            default -> queuesAndOthers(frame);
        }
    }

    private void device(IoctlFrame frame) throws Refusal {
        switch (frame.method()) {
            case UVERBS_METHOD_GET_CONTEXT -> {
                hca.admit(KernelCommand.GET_CONTEXT);
                UserContext context = file.makeContext(frame.input(UHW_IN));
                frame.output(UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS).putInt(0, Hca.VECTORS);
                frame.output(UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT).putLong(0, 0);
                context.answer(frame.output(UHW_OUT));
                hca.settings().lie(KernelCommand.GET_CONTEXT, frame.output(UHW_OUT));
            }
            case UVERBS_METHOD_QUERY_PORT -> queryPort(frame.output(UVERBS_ATTR_QUERY_PORT_RESP));
            case UVERBS_METHOD_QUERY_GID_TABLE -> {
                int found = queryGids(hca, frame.output(UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES));
                frame.output(UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES).putLong(0, found);
            }
            case QUERY_GID_ENTRY -> queryGid(hca, frame.number(GID_INDEX), frame.output(GID_ENTRY));
            default -> throw new Refusal(Errno.EPROTONOSUPPORT);
        }
    }

    private void queuesAndOthers(IoctlFrame frame) throws Refusal {
        boolean creates = frame.method() == UVERBS_METHOD_CQ_CREATE;
        switch (frame.object()) {
            case UVERBS_OBJECT_CQ -> {
                if (creates) {
                    file.context().createCq(frame);
                    hca.settings().lie(KernelCommand.CREATE_CQ, frame.output(UHW_OUT));
                } else {
                    destroyCq(frame.number(UVERBS_ATTR_DESTROY_CQ_HANDLE), frame.output(UVERBS_ATTR_DESTROY_CQ_RESP));
                }
            }
            case UVERBS_OBJECT_QP -> {
                if (creates) {
                    file.context().createQp(frame);
                    hca.settings().lie(KernelCommand.CREATE_QP, frame.output(UHW_OUT));
                } else {
                    destroyQp(frame.number(UVERBS_ATTR_DESTROY_QP_HANDLE), frame.output(UVERBS_ATTR_DESTROY_QP_RESP));
                }
            }
            case UVERBS_OBJECT_SRQ -> {
                if (creates) {
                    file.context().createSrq(frame);
                } else {
                    destroySrq(
                            frame.number(UVERBS_ATTR_DESTROY_SRQ_HANDLE), frame.output(UVERBS_ATTR_DESTROY_SRQ_RESP));
                }
            }
            case UVERBS_OBJECT_PD -> file.handles().destroy(KernelObject.Pd.class, frame.number(0));
            case UVERBS_OBJECT_MW -> file.handles().destroy(KernelObject.Mw.class, frame.number(0));
            case UVERBS_OBJECT_AH -> file.handles().destroy(KernelObject.Ah.class, frame.number(0));
            case UVERBS_OBJECT_MR -> memoryRegion(frame);
            default -> file.context().method(frame);
        }
    }

    private void memoryRegion(IoctlFrame frame) throws Refusal {
        if (frame.method() == UVERBS_METHOD_REG_DMABUF_MR) {
            regDmaBuf(frame);
            return;
        }
        Refusal.unless(frame.method() == UVERBS_METHOD_MR_DESTROY, Errno.EPROTONOSUPPORT);
        hca.admit(KernelCommand.DEREG_MR);
        if (file.handles().get(MrObject.class, frame.number(0)).isUsed()) {
            // The real kernel would not notice.
            hca.card().complain("the region of a queue that is there is deregistered");
        }
        file.handles().destroy(MrObject.class, frame.number(0));
    }

    private void regDmaBuf(IoctlFrame frame) throws Refusal {
        hca.admit(KernelCommand.REG_MR);
        KernelObject.Pd pd =
                file.handles().get(KernelObject.Pd.class, frame.number(UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE));
        MrObject.Place place = new MrObject.Place(
                frame.value(UVERBS_ATTR_REG_DMABUF_MR_OFFSET),
                frame.value(UVERBS_ATTR_REG_DMABUF_MR_LENGTH),
                frame.value(UVERBS_ATTR_REG_DMABUF_MR_IOVA));
        CardKernel.DmaBuf buffer = file.dmaBuf(frame.number(UVERBS_ATTR_REG_DMABUF_MR_FD));
        int access = frame.number(UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS);
        MrObject mr = MrObject.register(hca, pd, buffer, place, access);
        frame.made(UVERBS_ATTR_REG_DMABUF_MR_HANDLE, file.handles().add(mr));
        frame.output(UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY).putInt(0, mr.key());
        frame.output(UVERBS_ATTR_REG_DMABUF_MR_RESP_RKEY).putInt(0, mr.key());
    }

    private void destroyCq(int handle, ByteBuffer reply) throws Refusal {
        hca.admit(KernelCommand.DESTROY_CQ);
        QueueObject.Cq cq = file.handles().destroy(QueueObject.Cq.class, handle);
        reply.putInt(0, cq.eventsReported()).putInt(4, cq.asyncEventsReported());
    }

    private void destroyQp(int handle, ByteBuffer reply) throws Refusal {
        hca.admit(KernelCommand.DESTROY_QP);
        QueueObject.Qp qp = file.handles().destroy(QueueObject.Qp.class, handle);
        reply.putInt(0, qp.asyncEventsReported());
    }

    private void destroySrq(int handle, ByteBuffer reply) throws Refusal {
        hca.admit(KernelCommand.DESTROY_SRQ);
        QueueObject.Srq srq = file.handles().destroy(QueueObject.Srq.class, handle);
        reply.putInt(0, srq.asyncEventsReported());
    }

    // ---- what port and GIDs are

    private static void queryPort(ByteBuffer reply) {
        reply.putInt(PortAttrBytes.PORT_CAP_FLAGS, 0x401_0000)
                .putInt(PortAttrBytes.MAX_MSG_SZ, 1 << 30)
                .putInt(PortAttrBytes.GID_TBL_LEN, 256)
                .putShort(PortAttrBytes.PKEY_TBL_LEN, (short) 1)
                .put(PortAttrBytes.STATE, (byte) 4)
                .put(PortAttrBytes.MAX_MTU, (byte) 5)
                .put(PortAttrBytes.ACTIVE_MTU, (byte) 5)
                .put(PortAttrBytes.ACTIVE_WIDTH, (byte) 2)
                .put(PortAttrBytes.ACTIVE_SPEED, (byte) 32)
                .put(PortAttrBytes.PHYS_STATE, (byte) 5)
                .put(PortAttrBytes.LINK_LAYER, (byte) ETHERNET);
    }

    /** All GIDs, or none when there is not enough room; returns how many. */
    private static int queryGids(Hca hca, ByteBuffer room) {
        for (int i = 0; i < hca.gids().size(); i++) {
            put(hca, i, room, i * GidEntryBytes.BYTES);
        }
        return hca.gids().size();
    }

    /** One GID. */
    private static void queryGid(Hca hca, int index, ByteBuffer room) throws Refusal {
        Refusal.unless(index >= 0 && index < hca.gids().size(), Errno.ENODATA);
        put(hca, index, room, 0);
    }

    private static void put(Hca hca, int index, ByteBuffer room, int at) {
        room.put(at + GidEntryBytes.GID, hca.gids().get(index));
        room.putInt(at + GidEntryBytes.GID_INDEX, index)
                .putInt(at + GidEntryBytes.PORT_NUM, Hca.PORT)
                .putInt(at + GidEntryBytes.GID_TYPE, index % 2 == 0 ? ROCE_V1 : ROCE_V2)
                .putInt(at + GidEntryBytes.NETDEV_IFINDEX, 1);
    }
}
