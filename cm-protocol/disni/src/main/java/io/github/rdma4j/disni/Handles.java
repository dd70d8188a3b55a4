// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** DiSNI's objects, each with the object of rdma4j that it stands for. */
final class Handles {
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private Handles() {}

    /** A number that no other object of DiSNI has. */
    static int newNumber() {
        return NUMBERS.incrementAndGet();
    }

    /** An event channel, with its ids. */
    static final class Channel extends RdmaEventChannel {
        /** What a program drops without destroying works on in C; here the garbage collector would close it. */
        private static final Set<EventChannel> OPEN = ConcurrentHashMap.newKeySet();

        final EventChannel channel;

        Channel(EventChannel channel) throws IOException {
            super(0);
            this.channel = channel;
            OPEN.add(channel);
        }

        @Override
        public void close() {
            super.close();
            OPEN.remove(channel);
        }
    }

    /** A CM id, which rdma4j's id remembers. */
    static final class Id extends RdmaCmId {
        final CmId id;

        Id(CmId id, RdmaEventChannel channel) throws IOException {
            super(channel, null);
            this.id = id;
            this.ps = id.portSpace().code();
            id.attach(this);
        }

        @Override
        public IbvContext getVerbs() throws IOException {
            if (verbs == null) {
                Failures.requireOpen(isOpen(), "the id");
                if (id.hasDevice()) {
                    setVerbs(Context.of(id.context()));
                    setPort_num((byte) id.portNumber());
                } else if (isBoundToAny()) {
                    setVerbs(OnlyDevice.by(Context::of));
                }
            }
            return verbs;
        }

        private boolean isBoundToAny() {
            return id.localAddress()
                    .filter(local -> local.getPort() > 0 && local.getAddress().isAnyLocalAddress())
                    .isPresent();
        }

        /** For this package. */
        void queuePair(IbvQP qp) {
            setQp(qp);
        }
    }

    /**
     * One context of DiSNI for each device. librdmacm keeps a device open until the process ends, and DiSNI's endpoint groups keep
     * protection domains by the number of a context: a protection domain that nobody uses keeps rdma4j's context open.
     */
    static final class Context extends IbvContext {
        private static final ReentrantLock LOCK = new ReentrantLock();
        private static final Map<DeviceContext, Kept> KEPT = new HashMap<>();

        final DeviceContext context;

        private record Kept(Context context, ProtectionDomain keeper) {}

        Context(DeviceContext context) throws IOException {
            super(newNumber(), context.completionVectors());
            this.context = context;
        }

        static Context of(DeviceContext device) throws IOException {
            LOCK.lock();
            try {
                Kept kept = KEPT.get(device);
                if (kept == null) {
                    kept = new Kept(new Context(device), device.allocatePd());
                    KEPT.put(device, kept);
                }
                return kept.context;
            } finally {
                LOCK.unlock();
            }
        }

        /** The device was removed: its driver may wait until nobody uses the device any more. */
        static void removed(DeviceContext device) throws IOException {
            LOCK.lock();
            try {
                Kept kept = KEPT.get(device);
                if (kept != null) {
                    kept.keeper.close();
                }
            } finally {
                LOCK.unlock();
            }
        }
    }

    /** A protection domain, with its memory regions. */
    static final class Pd extends IbvPd {
        final ProtectionDomain pd;
        final RegionTable<Mr> regions = new RegionTable<>();

        Pd(Context context, ProtectionDomain pd) throws IOException {
            super(context);
            this.pd = pd;
            this.handle = newNumber();
        }
    }

    /** A memory region. */
    static final class Mr extends IbvMr implements RegionTable.Region {
        final MemoryRegion region;
        private final ProtectionDomain pd;

        Mr(Pd pd, MemoryRegion region, int access) throws IOException {
            super(
                    pd.getContext(),
                    region.iova(),
                    (int) region.length(),
                    access,
                    region.lkey(),
                    region.rkey(),
                    newNumber());
            this.region = region;
            this.pd = pd.pd;
        }

        /** Brings pages into memory for writing. */
        void prefetch(long address, int length) throws IOException {
            pd.adviseMr(MemoryRegion.Advice.PREFETCH_WRITE, true, region, address - region.iova(), length);
        }

        /** The kernel's, whatever the program sets. */
        @Override
        public int lkey() {
            return region.lkey();
        }
    }

    /** A completion channel. */
    static final class CompChannel extends IbvCompChannel {
        final CompletionChannel channel;

        CompChannel(Context context, CompletionChannel channel) throws IOException {
            super(0, context);
            this.channel = channel;
        }
    }

    /** A completion queue. */
    static final class Cq extends IbvCQ {
        final CompletionQueue cq;

        Cq(Context context, CompChannel channel, CompletionQueue cq) throws IOException {
            super(context, channel, newNumber());
            this.cq = cq;
            this.cqe = cq.capacity();
        }
    }

    /** A queue pair. */
    static final class Qp extends IbvQP {
        final QueuePair qp;
        final RegionTable<Mr> regions;
        final int maxInline;

        Qp(QueuePair qp, Pd pd, Cq send, Cq receive) throws IOException {
            super(qp.qpn());
            this.qp = qp;
            this.context = pd.getContext();
            this.pd = pd;
            this.regions = pd.regions;
            this.send_cq = send;
            this.recv_cq = receive;
            this.qp_type = qp.type().code();
            this.handle = newNumber();
            this.maxInline = qp.capacities().maxInline();
        }

        @Override
        public int getState() {
            return qp.state().code();
        }

        /** The region that a work request of this queue pair names. */
        Mr region(int lkey) throws IOException {
            @Nullable Mr found = regions.get(lkey);
            if (found == null) {
                throw new IOException("no open memory region of the queue pair's protection domain has the local key 0x"
                        + Integer.toHexString(lkey));
            }
            return found;
        }
    }
}
