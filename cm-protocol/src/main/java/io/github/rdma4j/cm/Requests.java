// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.ucm.GetEvent.EventReply;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Creates the CM ids of the connect requests of a listener, and events for users. Used under the id's lock.
 *
 * @param listener the listener; also an id that does not listen
 * @param left the descriptors of channels that the listener has left. Since Linux 5.10, a request belongs to the
 *     descriptor on which it arrived, and would end with that descriptor while its event waits on another descriptor
 */
record Requests(CmId listener, List<KernelFd.Hold> left) implements RequestSink {
    @Override
    public void remember(KernelFd channel) {
        if (left.stream().noneMatch(hold -> hold.isOf(channel))) {
            left.add(channel.hold());
        }
    }

    @Override
    public void release() {
        left.forEach(KernelFd.Hold::release);
        left.clear();
    }

    /**
     * Creates the id of a request. If the new id cannot be queried, it is destroyed: the peer gets a rejection, and the
     * listener gets CONNECT_ERROR with the cause.
     */
    @Override
    public Optional<RetrievedEvent> process(Delivery delivery) {
        EventReply reply = delivery.reply();
        // the listener may have migrated since the event was read; learn then fetches the new id
        Retrieval from = listener.retrieval();
        CmId child = CmId.requested(from, listener, EventChannel.newUid(), reply);
        try {
            learn(child, from, reply.id());
            Optional<RetrievedEvent> event = Optional.of(CmEvent.request(listener, child, reply));
            from.add(child.member());
            return event;
        } catch (RdmaException e) {
            FirstFailure.closeAfter(e, child);
            return Optional.of(event(reply, CmEventType.CONNECT_ERROR, e));
        } catch (RuntimeException | Error e) {
            FirstFailure.closeAfter(e, child);
            if (from.isClosed()) {
                throw e;
            }
            return Optional.of(event(reply, CmEventType.CONNECT_ERROR, new RdmaException(e.toString(), e)));
        }
    }

    @Override
    public RetrievedEvent event(EventReply reply, CmEventType type, @Nullable RdmaException failure) {
        return CmEvent.of(listener, reply, type, failure);
    }

    /** Queries the new id. EINVAL means that the id and the event of its request are on different descriptors. */
    private void learn(CmId child, Retrieval from, int handle) throws RdmaException {
        try {
            child.learnRequest();
        } catch (ErrnoException e) {
            if (!e.errno().equals(Errno.EINVAL) || !fetch(from.ucm, handle)) {
                throw e;
            }
            child.learnRequest();
        }
    }

    @Override
    public boolean fetch(RdmaUcm to, int handle) {
        return left.stream().anyMatch(from -> isFetched(to, handle, from));
    }

    private static boolean isFetched(RdmaUcm to, int handle, KernelFd.Hold from) {
        try {
            to.migrateId(handle, from.number());
            return true;
        } catch (RdmaException notThere) {
            return false;
        }
    }
}
