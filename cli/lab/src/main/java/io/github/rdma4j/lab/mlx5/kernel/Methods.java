// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.*;
import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsMethods.*;
import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsObjects.*;

import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.testkit.Mappings;
import io.github.rdma4j.kernel.Errno;
import java.nio.ByteBuffer;

/** The methods that verbs have of their own in the ioctl, and those of mlx5. */
final class Methods {
    static final int UHW_IN = UVERBS_ATTR_UHW_IN;
    static final int UHW_OUT = UVERBS_ATTR_UHW_OUT;

    private static final int QUERY_GID_ENTRY = 6;
    private static final int GID_INDEX = 1;
    private static final int GID_ENTRY = 3;
    private static final int MLX5_OBJECT_UAR = 0x1008;
    private static final int UAR_ALLOC = 0x1000;
    private static final int UAR_DESTROY = 0x1001;
    private static final int UAR_HANDLE = 0x1000;
    private static final int UAR_TYPE = 0x1001;
    private static final int UAR_OFFSET = 0x1002;
    private static final int UAR_LENGTH = 0x1003;
    private static final int UAR_PAGE_ID = 0x1004;
    private static final int UAR_BLUEFLAME = 0;
    private static final int UAR_UNCACHED = 1;

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
            case MLX5_OBJECT_UAR -> uar(frame);
            default -> queuesAndOthers(frame);
        }
    }

    private void device(IoctlFrame frame) throws Refusal {
        switch (frame.method()) {
            case UVERBS_METHOD_GET_CONTEXT -> {
                hca.admit(Mlx5Command.GET_CONTEXT);
                UserContext context = file.makeContext(frame.input(UHW_IN));
                frame.output(UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS).putInt(0, Hca.VECTORS);
                frame.output(UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT).putLong(0, 0);
                context.answer(frame.output(UHW_OUT));
            }
            case UVERBS_METHOD_QUERY_PORT -> Queries.port(frame.output(UVERBS_ATTR_QUERY_PORT_RESP));
            case UVERBS_METHOD_QUERY_GID_TABLE -> {
                int found = Queries.gids(hca, frame.output(UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES));
                frame.output(UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES).putLong(0, found);
            }
            case QUERY_GID_ENTRY -> Queries.gid(hca, frame.number(GID_INDEX), frame.output(GID_ENTRY));
            default -> throw new Refusal(Errno.EPROTONOSUPPORT);
        }
    }

    private void uar(IoctlFrame frame) throws Refusal {
        if (frame.method() == UAR_DESTROY) {
            file.handles().destroy(UarObject.class, frame.number(UAR_HANDLE));
            return;
        }
        Refusal.unless(frame.method() == UAR_ALLOC, Errno.EPROTONOSUPPORT);
        hca.admit(Mlx5Command.ALLOC_UAR);
        file.context();
        long type = frame.value(UAR_TYPE);
        Refusal.unless(type == UAR_BLUEFLAME || type == UAR_UNCACHED, Errno.EINVAL);
        Refusal.unless(type == UAR_UNCACHED || hca.settings().writeCombining, Errno.EOPNOTSUPP);
        UarObject uar = UarObject.make(hca);
        frame.made(UAR_HANDLE, file.handles().add(uar));
        frame.output(UAR_OFFSET).putLong(0, uar.offset());
        frame.output(UAR_LENGTH).putInt(0, Mappings.PAGE);
        frame.output(UAR_PAGE_ID).putInt(0, uar.page().index());
    }

    private void queuesAndOthers(IoctlFrame frame) throws Refusal {
        boolean creates = frame.method() == UVERBS_METHOD_CQ_CREATE;
        switch (frame.object()) {
            case UVERBS_OBJECT_CQ -> {
                if (creates) {
                    file.queues().createCq(frame);
                } else {
                    destroyCq(frame.number(UVERBS_ATTR_DESTROY_CQ_HANDLE), frame.output(UVERBS_ATTR_DESTROY_CQ_RESP));
                }
            }
            case UVERBS_OBJECT_QP -> {
                if (creates) {
                    file.queues().createQp(frame);
                } else {
                    destroyQp(frame.number(UVERBS_ATTR_DESTROY_QP_HANDLE), frame.output(UVERBS_ATTR_DESTROY_QP_RESP));
                }
            }
            case UVERBS_OBJECT_SRQ -> {
                if (creates) {
                    file.queues().createSrq(frame);
                } else {
                    destroySrq(
                            frame.number(UVERBS_ATTR_DESTROY_SRQ_HANDLE), frame.output(UVERBS_ATTR_DESTROY_SRQ_RESP));
                }
            }
            case UVERBS_OBJECT_PD -> file.handles().destroy(KernelObject.Pd.class, frame.number(0));
            case UVERBS_OBJECT_AH -> file.handles().destroy(KernelObject.Ah.class, frame.number(0));
            case UVERBS_OBJECT_MR -> memoryRegion(frame);
            default -> throw new Refusal(Errno.EPROTONOSUPPORT);
        }
    }

    private void memoryRegion(IoctlFrame frame) throws Refusal {
        if (frame.method() == UVERBS_METHOD_REG_DMABUF_MR) {
            regDmaBuf(frame);
            return;
        }
        Refusal.unless(frame.method() == UVERBS_METHOD_MR_DESTROY, Errno.EPROTONOSUPPORT);
        hca.admit(Mlx5Command.DEREG_MR);
        file.handles().destroy(MrObject.class, frame.number(0));
    }

    private void regDmaBuf(IoctlFrame frame) throws Refusal {
        hca.admit(Mlx5Command.REG_MR);
        KernelObject.Pd pd =
                file.handles().get(KernelObject.Pd.class, frame.number(UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE));
        MrObject.Place place = new MrObject.Place(
                frame.value(UVERBS_ATTR_REG_DMABUF_MR_OFFSET),
                frame.value(UVERBS_ATTR_REG_DMABUF_MR_LENGTH),
                frame.value(UVERBS_ATTR_REG_DMABUF_MR_IOVA));
        Mlx5Kernel.DmaBuf buffer = file.dmaBuf(frame.number(UVERBS_ATTR_REG_DMABUF_MR_FD));
        int access = frame.number(UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS);
        MrObject mr = MrObject.register(hca, pd, buffer, place, access);
        frame.made(UVERBS_ATTR_REG_DMABUF_MR_HANDLE, file.handles().add(mr));
        frame.output(UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY).putInt(0, mr.key());
        frame.output(UVERBS_ATTR_REG_DMABUF_MR_RESP_RKEY).putInt(0, mr.key());
    }

    private void destroyCq(int handle, ByteBuffer reply) throws Refusal {
        hca.admit(Mlx5Command.DESTROY_CQ);
        QueueObject.Cq cq = file.handles().destroy(QueueObject.Cq.class, handle);
        reply.putInt(0, cq.eventsReported()).putInt(4, cq.asyncEventsReported());
    }

    private void destroyQp(int handle, ByteBuffer reply) throws Refusal {
        hca.admit(Mlx5Command.DESTROY_QP);
        QueueObject.Qp qp = file.handles().destroy(QueueObject.Qp.class, handle);
        reply.putInt(0, qp.asyncEventsReported());
    }

    private void destroySrq(int handle, ByteBuffer reply) throws Refusal {
        hca.admit(Mlx5Command.DESTROY_SRQ);
        QueueObject.Srq srq = file.handles().destroy(QueueObject.Srq.class, handle);
        reply.putInt(0, srq.asyncEventsReported());
    }
}
