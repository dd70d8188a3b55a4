// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

import com.ibm.disni.util.MemoryUtils;
import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCDeregMr;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import com.ibm.disni.verbs.SVCRegMr;
import com.ibm.disni.verbs.SVCReqNotify;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The verbs of DiSNI over those of rdma4j. */
public final class VerbsOverRdma4j extends RdmaVerbs {
    /** What libdisni returns for what the device, or the build of the library, does not have. */
    private static final int NOT_SUPPORTED = -1;

    private static Handles.Context open(IbvContext context) throws IOException {
        Failures.requireOpen(context.isOpen(), "the context");
        return (Handles.Context) context;
    }

    private static Handles.CompChannel open(IbvCompChannel channel) throws IOException {
        Failures.requireOpen(channel.isOpen(), "the completion channel");
        return (Handles.CompChannel) channel;
    }

    @Override
    public IbvPd allocPd(IbvContext context) throws IOException {
        Handles.Context on = open(context);
        return Failures.asIo("ibv_alloc_pd", () -> new Handles.Pd(on, on.context.allocatePd()));
    }

    @Override
    public IbvCompChannel createCompChannel(IbvContext context) throws IOException {
        Handles.Context on = open(context);
        return Failures.asIo(
                "ibv_create_comp_channel", () -> new Handles.CompChannel(on, on.context.createCompletionChannel()));
    }

    @Override
    public IbvCQ createCQ(IbvContext context, IbvCompChannel channel, int entries, int vector) throws IOException {
        Handles.Context on = open(context);
        Handles.CompChannel to = open(channel);
        return Failures.asIo(
                "ibv_create_cq", () -> new Handles.Cq(on, to, on.context.createCq(entries, vector, to.channel)));
    }

    /** False when {@code timeout} milliseconds have passed; a negative time is no limit. */
    @Override
    public boolean getCqEvent(IbvCompChannel channel, IbvCQ cq, int timeout) throws IOException {
        CompletionChannel events = open(channel).channel;
        return Failures.asIo("ibv_get_cq_event", () -> Waits.takeEvent(events, timeout));
    }

    /** Registers the whole buffer from its byte 0 on, whatever position and limit are. */
    @Override
    public SVCRegMr regMr(IbvPd pd, ByteBuffer buffer, int access) {
        MemoryUtils.getAddress(buffer); // refuses a buffer on the heap, as DiSNI does
        return new RegisterMr((Handles.Pd) pd, () -> buffer.duplicate().clear(), access);
    }

    /** Registers memory that the program must not free before the region is deregistered. */
    @Override
    public SVCRegMr regMr(IbvPd pd, long address, int length, int access) {
        return new RegisterMr((Handles.Pd) pd, () -> NativeMemory.view(address, length), access);
    }

    /**
     * The operations on reliable connections that on-demand paging supports, as bits; -1 for none, and for rxe, whose on-demand
     * paging rdma4j refuses.
     */
    @Override
    public int queryOdpSupport(IbvContext context) throws IOException {
        DeviceContext asked = open(context).context;
        DeviceAttr.OnDemandPaging paging = asked.queryDeviceEx().odp();
        boolean refused = asked.device().driverName().equals("rxe");
        return (paging.isSupported() && !refused) ? paging.rc() : NOT_SUPPORTED;
    }

    /** Brings pages into memory for writing: 0, or -1 if the driver of the device does not do that. */
    @Override
    public int expPrefetchMr(IbvMr mr, long address, int length) throws IOException {
        Failures.requireOpen(mr.isOpen(), "the memory region");
        Handles.Mr of = (Handles.Mr) mr;
        try {
            Failures.asIo("ibv_advise_mr", () -> of.prefetch(address, length));
            return 0;
        } catch (ErrnoException e) {
            if (e.errno().equals(Errno.EOPNOTSUPP)) {
                return NOT_SUPPORTED;
            }
            throw e;
        }
    }

    @Override
    public SVCDeregMr deregMr(IbvMr mr) {
        return new DeregisterMr((Handles.Mr) mr);
    }

    /** {@code bad} is not filled, as by libdisni. */
    @Override
    public SVCPostSend postSend(IbvQP qp, List<IbvSendWR> requests, @Nullable List<IbvSendWR> bad) {
        return new PostSend((Handles.Qp) qp, requests);
    }

    /** {@code bad} is not filled, as by libdisni. */
    @Override
    public SVCPostRecv postRecv(IbvQP qp, List<IbvRecvWR> requests, @Nullable List<IbvRecvWR> bad) {
        return new PostReceive((Handles.Qp) qp, requests);
    }

    @Override
    public SVCPollCq pollCQ(IbvCQ cq, IbvWC[] into, int entries) {
        return new PollCq((Handles.Cq) cq, into, entries);
    }

    @Override
    public SVCReqNotify reqNotifyCQ(IbvCQ cq, boolean solicitedOnly) {
        return new RequestNotification((Handles.Cq) cq, solicitedOnly);
    }

    /** Does nothing: rdma4j's events need no acknowledgement. */
    @Override
    public int ackCqEvents(IbvCQ cq, int events) throws IOException {
        Failures.requireOpen(cq.isOpen(), "the completion queue");
        return 0;
    }

    /** 16 (EBUSY) while completion queues use the channel, which then goes with the last of them. */
    @Override
    public int destroyCompChannel(IbvCompChannel channel) throws IOException {
        Handles.CompChannel destroyed = open(channel);
        destroyed.close();
        return Failures.destroy(destroyed.channel);
    }

    /** 16 (EBUSY) while regions or queue pairs use the protection domain, which then goes with the last of them. */
    @Override
    public int deallocPd(IbvPd pd) throws IOException {
        Failures.requireOpen(pd.isOpen(), "the protection domain");
        pd.close();
        return Failures.destroy(((Handles.Pd) pd).pd);
    }

    /** 16 (EBUSY) while queue pairs use the queue, which then goes with the last of them. */
    @Override
    public int destroyCQ(IbvCQ cq) throws IOException {
        Failures.requireOpen(cq.isOpen(), "the completion queue");
        cq.close();
        return Failures.destroy(((Handles.Cq) cq).cq);
    }

    private static final class RegisterMr extends SVCRegMr {
        private final Handles.Pd pd;

        /** The memory, which is looked at when the call is executed. */
        private final Supplier<ByteBuffer> memory;

        private final int access;
        private @Nullable IbvMr mr;
        private boolean valid = true;

        RegisterMr(Handles.Pd pd, Supplier<ByteBuffer> memory, int access) {
            this.pd = pd;
            this.memory = memory;
            this.access = access;
        }

        @Override
        public SVCRegMr execute() throws IOException {
            Failures.requireOpen(pd.isOpen(), "the protection domain");
            Handles.Mr made = Failures.asIo(
                    "ibv_reg_mr",
                    () -> new Handles.Mr(pd, pd.pd.registerMr(memory.get(), Access.ofFlags(access)), access));
            pd.regions.add(made);
            mr = made;
            return this;
        }

        @Override
        public @Nullable IbvMr getMr() {
            return mr;
        }

        @Override
        public boolean isValid() {
            return valid;
        }

        @Override
        public SVCRegMr free() {
            valid = false;
            return this;
        }
    }

    private static final class DeregisterMr extends SVCDeregMr {
        private final Handles.Mr mr;
        private boolean valid = true;

        DeregisterMr(Handles.Mr mr) {
            this.mr = mr;
        }

        @Override
        public SVCDeregMr execute() throws IOException {
            Failures.requireOpen(mr.isOpen(), "the memory region");
            mr.close();
            mr.region.close();
            return this;
        }

        @Override
        public boolean isValid() {
            return valid;
        }

        @Override
        public SVCDeregMr free() {
            valid = false;
            return this;
        }
    }

    private static final class RequestNotification extends SVCReqNotify {
        private final Handles.Cq cq;
        private final boolean solicitedOnly;
        private boolean valid = true;

        RequestNotification(Handles.Cq cq, boolean solicitedOnly) {
            this.cq = cq;
            this.solicitedOnly = solicitedOnly;
        }

        @Override
        public SVCReqNotify execute() throws IOException {
            Failures.requireOpen(cq.isOpen(), "the completion queue");
            try {
                cq.cq.requestNotification(solicitedOnly);
            } catch (IllegalStateException e) {
                throw Failures.io("ibv_req_notify_cq", e);
            }
            return this;
        }

        @Override
        public boolean isValid() {
            return valid;
        }

        @Override
        public SVCReqNotify free() {
            valid = false;
            return this;
        }
    }
}
