// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.ucm.GetEvent.EventReply;
import io.github.rdma4j.internal.ucm.UdParam;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import java.net.SocketAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The membership of an id in a multicast group, created by {@link CmMulticast#join}. Closing the membership or the id
 * leaves the group. Safe for use by several threads.
 */
public final class GroupMembership implements AutoCloseable {
    private final CmMulticast owner;
    private final long uid;
    private final SocketAddress group;
    private final Mode mode;
    private final @Nullable Object context;
    private final EventSink sink = new Sink();

    /** The kernel's handle; written and read under the id's lock. */
    private int handle;

    private volatile @Nullable DatagramPeer peer;
    private volatile @Nullable QueuePair attached;

    GroupMembership(CmMulticast owner, long uid, SocketAddress group, Mode mode, @Nullable Object context) {
        this.owner = owner;
        this.uid = uid;
        this.group = group;
        this.mode = mode;
        this.context = context;
    }

    /** Returns the id that joined the group. */
    public CmId id() {
        return owner.id();
    }

    /** Returns the address of the group, as passed to join. */
    public SocketAddress group() {
        return group;
    }

    /** Returns the mode in which the id joined the group. */
    public Mode mode() {
        return mode;
    }

    /** Returns the object that was passed to join; empty if there was none. */
    public Optional<Object> context() {
        return Optional.ofNullable(context);
    }

    /** Returns the destination for datagrams to the group; empty before MULTICAST_JOIN is retrieved. */
    public Optional<DatagramPeer> peer() {
        return Optional.ofNullable(peer);
    }

    /** Returns true if the id's queue pair is attached to the group and receives its datagrams. */
    public boolean isAttached() {
        return attached != null;
    }

    /** Leaves the group ({@code rdma_leave_multicast(3)}); see {@link CmMulticast#leave}. Idempotent. */
    @Override
    public void close() throws RdmaException {
        owner.leave(this);
    }

    long uid() {
        return uid;
    }

    EventSink sink() {
        return sink;
    }

    int handle() {
        return handle;
    }

    void joined(int number) {
        handle = number;
    }

    /** Returns the GID of the group; null until it is known. */
    @Nullable
    Gid mgid() {
        DatagramPeer known = peer;
        return known == null ? null : known.ahAttr().dgid();
    }

    /** Detaches the queue pair, unless another membership needs the same group. */
    void detach() throws RdmaException {
        QueuePair pair = attached;
        DatagramPeer known = peer;
        attached = null;
        if (pair != null && known != null && !owner.isWanted(known.ahAttr().dgid()) && !pair.isClosed()) {
            pair.detachMulticast(known.ahAttr().dgid(), known.ahAttr().dlid());
        }
    }

    private final class Sink implements EventSink {
        @Override
        public IdLock lock() {
            return owner.core.lock;
        }

        @Override
        public boolean isDatagram() {
            return true;
        }

        @Override
        public Optional<RetrievedEvent> process(Delivery delivery) {
            EventReply reply = delivery.reply();
            if (owner.core.isClosed() || owner.hasLeft(GroupMembership.this)) {
                return Optional.empty();
            }
            CmEventType type = CmEventType.of(reply.event());
            RdmaException failure = owner.core.failureOf(() -> {
                if (type == CmEventType.MULTICAST_JOIN) {
                    learn(reply);
                } else {
                    // A lost membership: the next may have another local identifier, which needs a new attachment.
                    detach();
                }
            });
            CmEventType outcome = failure == null ? type : CmEventType.MULTICAST_ERROR;
            return Optional.of(CmEvent.group(GroupMembership.this, reply, outcome, failure));
        }
    }

    private void learn(EventReply reply) throws RdmaException {
        UdParam to = (UdParam) reply.param();
        AhAttr ahAttr = to.ahAttr();
        peer = new DatagramPeer(ahAttr, to.qpNum(), to.qkey());
        QueuePair pair = owner.qp();
        if (pair != null && mode == Mode.FULL_MEMBER) {
            pair.attachMulticast(ahAttr.dgid(), ahAttr.dlid());
            attached = pair;
        }
    }

    @Override
    public String toString() {
        return "GroupMembership[" + group + ", " + mode + "]";
    }

    /** The type of a membership in a multicast group ({@code rdma_join_multicast_ex(3)}). */
    @KernelConstants("rdma/rdma_user_cm.h")
    public enum Mode {
        /** {@code RDMA_MC_JOIN_FLAG_FULLMEMBER}: the member sends and receives. */
        @CName("RDMA_MC_JOIN_FLAG_FULLMEMBER")
        FULL_MEMBER(0),
        /**
         * {@code RDMA_MC_JOIN_FLAG_SENDONLY_FULLMEMBER}: the member sends but does not receive, and keeps the group
         * alive.
         */
        @CName("RDMA_MC_JOIN_FLAG_SENDONLY_FULLMEMBER")
        SEND_ONLY_FULL_MEMBER(1);

        private final int code;

        Mode(int code) {
            this.code = code;
        }

        /**
         * Returns the kernel's number for the mode ({@code RDMA_MC_JOIN_FLAG_*}), which is a value and not a bit mask.
         */
        public int code() {
            return code;
        }
    }
}
